package io.drayage.bench.rig.node;

import io.drayage.bench.system.SystemUnderTest;
import io.drayage.bench.system.Systems;
import io.drayage.bench.system.Transports;
import io.drayage.codec.Serializers;
import io.drayage.warmup.NodeWarmup;
import java.time.Duration;

/** Warms the shipments of a node by a system. */
public final class SystemWarmup {
  private SystemWarmup() {}

  /**
   * Begins on a separate thread. Does nothing for a stream, which is measured and used as
   * published.
   *
   * @param threads codec threads of the node
   * @param limit of the time; zero for no warm-up
   * @throws IllegalArgumentException if {@code limit} is out of its range
   */
  public static NodeWarmup begin(SystemUnderTest system, int threads, Duration limit) {
    return NodeWarmup.begin(
        Transports.ofName(system.transport()),
        Serializers.ofName(system.serializer()),
        Systems.compressor(system),
        threads,
        system.isParallel() ? limit : Duration.ZERO);
  }
}
