package io.drayage.bench.rig.node;

import io.drayage.bench.child.ControlMessages.Applied;
import io.drayage.bench.child.ControlMessages.Cluster;
import io.drayage.bench.child.ControlMessages.Expected;
import io.drayage.bench.system.SystemReceiver;
import io.drayage.bench.system.Systems;
import io.drayage.frame.OnConflict;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.receive.MemoryCommitter;
import io.drayage.store.AppliedChanges;
import io.drayage.store.MemoryStore;
import io.drayage.store.StoreSnapshot;
import io.drayage.transport.ShipmentAcceptor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A store in memory only, which is reset to its base snapshot. */
final class MemoryDatabase implements RigDatabase {
  private final MemoryStore store = new MemoryStore();
  private final StoreSnapshot base;
  private final SystemReceiver receiver;

  MemoryDatabase(Job job, UnaryOperator<ShipmentAcceptor> observer, DrayageMetrics metrics)
      throws IOException {
    store.createTables(job.cargo().tables());
    this.base = store.snapshot();
    // The cargoes of a warm-up change the same rows repeatedly.
    MemoryCommitter overwriting = cargo -> store.commit(cargo, OnConflict.OVERWRITE);
    this.receiver =
        Systems.listen(
            job.parsedSystem(), job.options(), job.anyPort(), overwriting, observer, metrics);
  }

  @Override
  public InetSocketAddress address() {
    return receiver.address();
  }

  @Override
  public @Nullable Cluster reset() {
    store.reset(base);
    return null;
  }

  @Override
  public List<Applied> applied(Expected expected) {
    AppliedChanges applied = store.lastApplied();
    if (applied == null || expected.commits() != 1) {
      throw new IllegalStateException("no cargo has taken effect");
    }
    return List.of(new Applied(applied.timestamp(), applied.digest(), null));
  }

  @Override
  public void close() {
    receiver.close();
    store.reset(base); // gRPC keeps the objects of a server for some ten seconds.
  }
}
