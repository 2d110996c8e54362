package io.drayage.bench.rig.node;

import io.drayage.bench.child.ControlMessages.Applied;
import io.drayage.bench.child.ControlMessages.Cluster;
import io.drayage.bench.system.SystemReceiver;
import io.drayage.bench.system.Systems;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.transport.ShipmentAcceptor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Takes cargoes that are larger than its memory. */
final class StagedDatabase implements RigDatabase {
  private final StagedCommits commits;
  private final SystemReceiver receiver;

  StagedDatabase(Job job, UnaryOperator<ShipmentAcceptor> observer, DrayageMetrics metrics)
      throws IOException {
    this.commits =
        new StagedCommits(Objects.requireNonNull(job.streaming()), 2 * job.cargo().sizeBytes());
    this.receiver =
        Systems.listen(
            job.parsedSystem(),
            job.options(),
            job.anyPort(),
            commits,
            observer,
            commits.stage(),
            metrics);
  }

  @Override
  public InetSocketAddress address() {
    return receiver.address();
  }

  @Override
  public @Nullable Cluster reset() throws IOException {
    commits.reset();
    return null;
  }

  @Override
  public List<Applied> applied(int expected) {
    return List.of(new Applied(0, commits.digest(), null));
  }

  @Override
  public void close() throws IOException {
    receiver.close();
    commits.close();
  }
}
