package io.drayage.cli.cluster;

import io.drayage.objectstore.ObjectStore;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotContents;
import io.drayage.snapshot.SnapshotEntry;
import io.drayage.snapshot.SnapshotManifest;
import io.drayage.snapshot.StoredBytes;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code drayage snapshot show}. */
@Command(
    name = "show",
    mixinStandardHelpOptions = true,
    description = "Shows one snapshot of an object store.",
    footer = {"", "Example:", "  drayage snapshot show 42 --store fs:data/store"})
final class SnapshotShowCommand implements Callable<Integer> {
  @Mixin private StoreOption storeOption = new StoreOption();

  @Parameters(
      paramLabel = "SNAPSHOT",
      arity = "0..1",
      description = "Its timestamp (default: the newest).")
  private @Nullable Long timestamp;

  @Option(names = "--full", description = "The full snapshot of that timestamp, not the commit.")
  private boolean full;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    try (ObjectStore store = storeOption.open()) {
      print(out, entry(new SnapshotCatalog(store)));
    }
    out.flush();
    return 0;
  }

  private SnapshotEntry entry(SnapshotCatalog catalog) throws IOException {
    List<Long> log = catalog.logTimestamps();
    List<Long> fulls = catalog.fullTimestamps();
    boolean wantsFull = full || (timestamp == null && log.isEmpty());
    List<Long> known = wantsFull ? fulls : log;
    if (known.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "%s: there is no such snapshot".formatted(catalog.store().name()));
    }
    long wanted = timestamp == null ? known.get(known.size() - 1) : timestamp;
    return wantsFull ? catalog.full(wanted) : catalog.entry(wanted);
  }

  private static void print(PrintWriter out, SnapshotEntry entry) {
    SnapshotManifest manifest = entry.manifest();
    line(out, "snapshot", Long.toString(manifest.timestamp()));
    line(out, "kind", manifest.kind().text());
    line(out, "epoch", Long.toString(manifest.epoch()));
    line(out, "created", manifest.created().toString());
    line(out, "checksum", "%08x".formatted(entry.checksum()));
    line(
        out,
        manifest.kind().isLogEntry() ? "made on" : "state of",
        "snapshot %d with checksum %08x".formatted(manifest.parent(), manifest.parentChecksum()));
    SnapshotContents contents = manifest.contents();
    if (contents != null) {
      line(out, "transaction", contents.header().transactionId().toString());
      line(out, "base", Long.toString(contents.header().baseSnapshot()));
      line(out, "worker", contents.header().worker());
      line(out, "made with", SnapshotTexts.codecs(contents.header()));
      line(out, "frames", "%,d".formatted(contents.seal().frameCount()));
      line(out, "data", describe(contents.data()));
    }
    StoredBytes history = manifest.history();
    if (history != null) {
      line(out, "history", describe(history));
    }
  }

  private static String describe(StoredBytes bytes) {
    return "%s, %,d bytes in %,d blocks"
        .formatted(bytes.key(), bytes.digest().bytes(), bytes.digest().blockCount());
  }

  private static void line(PrintWriter out, String name, String value) {
    out.printf("%-12s %s%n", name, value);
  }
}
