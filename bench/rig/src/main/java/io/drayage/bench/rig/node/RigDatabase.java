package io.drayage.bench.rig.node;

import io.drayage.bench.child.ControlMessages.Applied;
import io.drayage.bench.child.ControlMessages.Cluster;
import io.drayage.bench.child.ControlMessages.Expected;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The receiver of cargoes in a transactor under the rig. Not thread-safe. */
interface RigDatabase extends AutoCloseable {
  /** Returns the address at which it listens. */
  InetSocketAddress address();

  /**
   * Resets the database: to the tables that the cargo changes, and no commit.
   *
   * @return how workers connect; null if they need only the port
   */
  @Nullable Cluster reset() throws IOException, InterruptedException;

  /**
   * Returns the commits that have taken effect since the reset.
   *
   * @param expected number of commits
   * @throws IllegalStateException if the number differs
   */
  List<Applied> applied(Expected expected) throws IOException, InterruptedException;

  @Override
  void close() throws IOException;
}
