package io.drayage.cli.cluster;

import io.drayage.objectstore.ObjectStore;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotManifest;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code drayage snapshot list}. */
@Command(
    name = "list",
    mixinStandardHelpOptions = true,
    description = "Lists the full snapshots and the log of commits in an object store.",
    footer = {"", "Example:", "  drayage snapshot list --store fs:data/store"})
final class SnapshotListCommand implements Callable<Integer> {
  @Mixin private StoreOption storeOption = new StoreOption();

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    try (ObjectStore store = storeOption.open()) {
      SnapshotCatalog catalog = new SnapshotCatalog(store);
      List<Long> fulls = catalog.fullTimestamps();
      List<Long> log = catalog.logTimestamps();
      List<SnapshotManifest> manifests = new ArrayList<>();
      for (long timestamp : fulls) {
        manifests.add(catalog.full(timestamp).manifest());
      }
      for (long timestamp : log) {
        manifests.add(catalog.entry(timestamp).manifest());
      }
      SnapshotTexts.table(manifests).toText().forEach(out::println);
      out.printf(
          "%s: %,d full snapshots, %,d entries of the log%n",
          store.name(), fulls.size(), log.size());
    }
    out.flush();
    return 0;
  }
}
