package io.drayage.cli.snapshot;

import io.drayage.cli.options.OptionChecks;
import io.drayage.objectstore.ObjectStore;
import io.drayage.receive.AllowedCodecs;
import io.drayage.replica.SnapshotColumns;
import java.io.IOException;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A snapshot whose columns a command reads into memory. */
final class SnapshotReading {
  @Mixin private StoreOption storeOption = new StoreOption();

  @Option(
      names = "--at",
      paramLabel = "N",
      description = "The snapshot to read (default: the newest).")
  private @Nullable Long at;

  interface Use {
    void with(SnapshotColumns columns) throws IOException;
  }

  OptionChecks checks() {
    return storeOption.checks();
  }

  void read(Use use) throws IOException {
    try (ObjectStore store = storeOption.open();
        SnapshotColumns columns =
            SnapshotColumns.open(
                store,
                Runtime.getRuntime().availableProcessors(),
                AllowedCodecs.INSTALLED,
                at == null ? OptionalLong.empty() : OptionalLong.of(at))) {
      use.with(columns);
    }
  }
}
