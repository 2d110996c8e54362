package io.drayage.bench.rig.node;

import io.drayage.bench.child.ControlMessages.Applied;
import io.drayage.bench.child.ControlMessages.Cluster;
import io.drayage.bench.child.ControlMessages.Expected;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What takes cargoes in a transactor under the rig. Not thread-safe. */
interface RigDatabase extends AutoCloseable {
  /** Where it listens. */
  InetSocketAddress address();

  /**
   * Begins anew: with the tables that the cargo changes, and no commit.
   *
   * @return how workers get there; null if all that they need is the port
   */
  @Nullable Cluster reset() throws IOException, InterruptedException;

  /**
   * What has taken effect since then.
   *
   * @param expected how many there must be
   * @throws IllegalStateException if there are not so many
   */
  List<Applied> applied(Expected expected) throws IOException, InterruptedException;

  @Override
  void close() throws IOException;
}
