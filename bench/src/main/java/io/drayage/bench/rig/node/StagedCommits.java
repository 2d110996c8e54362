package io.drayage.bench.rig.node;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.receive.CargoCommitter;
import io.drayage.receive.CargoStage;
import io.drayage.receive.DiskStage;
import io.drayage.receive.ReceivedCargo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Stands in for a database that can apply what is larger than its memory: remembers the digest of
 * the cargo that was staged last, and the time as its snapshot. Thread-safe.
 */
final class StagedCommits implements CargoCommitter, AutoCloseable {
  private final CargoStage stage;
  private ReceivedCargo.@Nullable Staged last;

  /**
   * @param maxBytes raw bytes of the largest cargo
   */
  StagedCommits(Delivery.Streaming streaming, long maxBytes) throws IOException {
    String folder = streaming.stageFolder();
    this.stage =
        folder == null
            ? CargoStage.discarding(maxBytes)
            : DiskStage.open(Path.of(folder), maxBytes);
  }

  CargoStage stage() {
    return stage;
  }

  @Override
  public synchronized CompletableFuture<Long> commit(ReceivedCargo cargo) throws ShipmentException {
    if (!(cargo instanceof ReceivedCargo.Staged staged)) {
      throw new ShipmentException(Fault.REJECTED, "only staged cargoes are committed here");
    }
    last = staged;
    return CompletableFuture.completedFuture(System.currentTimeMillis());
  }

  /** The digest of the last cargo since {@link #reset}. */
  synchronized long digest() {
    if (last == null) {
      throw new IllegalStateException("no cargo has taken effect");
    }
    return last.digest();
  }

  /** Forgets the last cargo, and deletes its file. */
  synchronized void reset() throws IOException {
    if (last != null && last.file().isPresent()) {
      Files.deleteIfExists(last.file().get());
    }
    last = null;
  }

  /** To be called when nobody commits any more. */
  @Override
  public void close() throws IOException {
    reset();
    stage.close();
  }
}
