package io.drayage.cli.cluster;

import io.drayage.codec.Serializers;
import io.drayage.objectstore.ObjectStore;
import io.drayage.store.StoreSnapshot;
import io.drayage.transactor.Replica;
import java.io.IOException;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A snapshot that a command reads into memory. */
final class SnapshotReading {
  @Mixin private StoreOption storeOption = new StoreOption();

  @Option(
      names = "--at",
      paramLabel = "N",
      description = "The snapshot to read (default: the newest).")
  private @Nullable Long at;

  StoreSnapshot read() throws IOException {
    try (ObjectStore store = storeOption.open()) {
      return Replica.read(
          store,
          Runtime.getRuntime().availableProcessors(),
          Runtime.getRuntime().maxMemory(),
          Set.copyOf(Serializers.names()),
          at == null ? OptionalLong.empty() : OptionalLong.of(at));
    }
  }
}
