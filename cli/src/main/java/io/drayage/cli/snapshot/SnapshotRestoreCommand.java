package io.drayage.cli.snapshot;

import io.drayage.cli.cluster.ClusterOptions;
import io.drayage.cli.options.OptionChecks;
import io.drayage.internal.Begun;
import io.drayage.objectstore.ObjectStore;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.recovery.SnapshotCopy;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code drayage snapshot restore}: copies in the other direction, to a store without snapshots.
 */
@Command(
    name = "restore",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Makes a store from a copy, to start a cluster there. The store must hold no snapshots.",
      "The database gets a new id, so that nodes can tell it from the copied one.",
      ""
    },
    footer = {
      "",
      "Examples, with the copy of 'drayage snapshot copy --to fs:backup':",
      "  drayage snapshot restore --from fs:backup --store fs:restored/store"
    })
final class SnapshotRestoreCommand implements Callable<Integer> {
  @Option(
      names = "--from",
      paramLabel = "STORE",
      required = true,
      description = "The copy, made by snapshot copy.")
  private String from = "";

  @Option(
      names = "--store",
      paramLabel = "STORE",
      required = true,
      description = "The new store; a folder is created.")
  private String store = "";

  @Option(
      names = "--at",
      paramLabel = "SNAPSHOT",
      description = "Restore the database as of this snapshot (default: the newest).")
  private @Nullable Long at;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    OptionChecks checks = new OptionChecks(spec);
    PrintWriter out = spec.commandLine().getOut();
    try (NewFolders made = new NewFolders(store);
        ObjectStore copy = ClusterOptions.openExisting("--from", from, checks);
        ObjectStore target = ClusterOptions.open("--store", store, checks)) {
      SnapshotCatalog there = new SnapshotCatalog(target);
      checks.require(
          there.fullTimestamps().isEmpty(),
          "--store %s holds a database: name an empty one, or repair it with snapshot repair"
              .formatted(target.name()));
      out.printf(
          "it is database %s now, separate from the copy%n", restore(copy, target, out).database());
      made.keep();
    }
    out.printf(
        "next: end every node of the former cluster, and start transactors with --store %s and another /ROOT in --zookeeper%n",
        store);
    return 0;
  }

  private SnapshotCopy.Result restore(ObjectStore copy, ObjectStore target, PrintWriter out)
      throws IOException {
    PrintWriter err = spec.commandLine().getErr();
    try (Begun begun = new Begun(() -> err.printf("nothing was restored to %s%n", target.name()))) {
      return begun.keep(
          SnapshotCopyCommand.copy(SnapshotCopy.restoring(copy, target), target, at, out));
    }
  }
}
