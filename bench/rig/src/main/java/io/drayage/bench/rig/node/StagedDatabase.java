package io.drayage.bench.rig.node;

import io.drayage.bench.child.ControlMessages.Applied;
import io.drayage.bench.child.ControlMessages.Cluster;
import io.drayage.bench.system.SystemReceiver;
import io.drayage.bench.system.Systems;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.receive.CargoStage;
import io.drayage.receive.DiskStage;
import io.drayage.receive.ReceivedCargo;
import io.drayage.transport.ShipmentAcceptor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Stages cargoes that are larger than its memory, and commits them by keeping the last one. */
final class StagedDatabase implements RigDatabase {
  private final CargoStage stage;
  private final SystemReceiver receiver;

  /** Guarded by this. */
  private ReceivedCargo.@Nullable Staged last;

  StagedDatabase(Job job, UnaryOperator<ShipmentAcceptor> observer, DrayageMetrics metrics)
      throws IOException {
    String folder = Objects.requireNonNull(job.streaming()).stageFolder();
    long maxBytes = 2 * job.cargo().spec().sizeBytes();
    this.stage =
        folder == null
            ? CargoStage.discarding(maxBytes)
            : DiskStage.open(Path.of(folder), maxBytes);
    this.receiver =
        Systems.listen(
            job.parsedSystem(),
            job.options(),
            job.anyPort(),
            this::commit,
            observer,
            stage,
            metrics);
  }

  private synchronized CompletableFuture<Long> commit(ReceivedCargo cargo)
      throws ShipmentException {
    if (!(cargo instanceof ReceivedCargo.Staged staged)) {
      throw new ShipmentException(Fault.REJECTED, "only staged cargoes are committed here");
    }
    last = staged;
    return CompletableFuture.completedFuture(System.currentTimeMillis());
  }

  @Override
  public InetSocketAddress address() {
    return receiver.address();
  }

  /** Forgets the last cargo, and deletes its file. */
  @Override
  public synchronized @Nullable Cluster reset() throws IOException {
    if (last != null && last.file().isPresent()) {
      Files.deleteIfExists(last.file().get());
    }
    last = null;
    return null;
  }

  @Override
  public synchronized List<Applied> applied(int expected) {
    if (last == null) {
      throw new IllegalStateException("no cargo has taken effect");
    }
    return List.of(new Applied(0, last.digest(), null));
  }

  @Override
  public void close() throws IOException {
    receiver.close();
    reset();
    stage.close();
  }
}
