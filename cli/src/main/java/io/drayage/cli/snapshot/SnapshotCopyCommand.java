package io.drayage.cli.snapshot;

import io.drayage.cli.cluster.ClusterOptions;
import io.drayage.cli.options.OptionChecks;
import io.drayage.internal.Counted;
import io.drayage.objectstore.ObjectStore;
import io.drayage.snapshot.recovery.SnapshotCopy;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code drayage snapshot copy}. */
@Command(
    name = "copy",
    mixinStandardHelpOptions = true,
    description = {
      "Copies a database to another store, as a backup: its full snapshots and the log since the"
          + " oldest. The cluster may run at the same time.",
      "Existing objects are not copied again, written objects are compared with their checksums,"
          + " and objects that the database no longer needs are deleted from the copy.",
      ""
    },
    footer = {
      "",
      "Examples, with the store of 'drayage transactor --data data':",
      "  drayage snapshot copy --store fs:data/store --to fs:backup",
      "Examples, with a server of S3:",
      "  drayage snapshot copy --store fs:data/store --to s3:backups/db?endpoint=http://s3:9000"
    })
final class SnapshotCopyCommand implements Callable<Integer> {
  @Mixin private StoreOption storeOption;

  @Option(
      names = "--to",
      paramLabel = "STORE",
      required = true,
      description = "The other store: empty, or an earlier copy; a folder is created.")
  private String to = "";

  @Option(
      names = "--at",
      paramLabel = "SNAPSHOT",
      description = "Copy up to this snapshot (default: the newest).")
  private @Nullable Long at;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    try (NewFolders made = new NewFolders(to);
        ObjectStore from = storeOption.open();
        ObjectStore target = ClusterOptions.open("--to", to, new OptionChecks(spec))) {
      copy(new SnapshotCopy(from, target), target, at, out);
      made.keep();
    }
    return 0;
  }

  /**
   * Copies snapshots, and reports it.
   *
   * @param at the last snapshot to copy; null for the newest
   */
  static SnapshotCopy.Result copy(
      SnapshotCopy copy, ObjectStore to, @Nullable Long at, PrintWriter out) throws IOException {
    SnapshotCopy.Result result = copy.run(at == null ? Long.MAX_VALUE : at);
    out.printf(
        Locale.ROOT,
        "%s is at snapshot %d: %s copied (%s) and read back, %,d there before, %,d deleted%n",
        to.name(),
        result.timestamp(),
        Counted.of(result.objects(), "object"),
        Counted.of(result.bytes(), "byte"),
        result.present(),
        result.deleted());
    return result;
  }
}
