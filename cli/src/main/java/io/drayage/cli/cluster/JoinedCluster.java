package io.drayage.cli.cluster;

import io.drayage.coordination.Coordination;
import io.drayage.coordination.zookeeper.EmbeddedZooKeeper;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The coordination of a cluster, and the ZooKeeper behind it if it runs in this process. */
record JoinedCluster(
    String zookeeper, Coordination coordination, @Nullable EmbeddedZooKeeper embedded)
    implements AutoCloseable {
  static JoinedCluster join(@Nullable String zookeeper, Path data, int port, int sessionTimeoutMs)
      throws IOException {
    if (zookeeper != null) {
      return new JoinedCluster(
          zookeeper, ClusterOptions.connect(zookeeper, sessionTimeoutMs), null);
    }
    EmbeddedZooKeeper embedded = EmbeddedZooKeeper.start(data.resolve("zookeeper"), port);
    return new JoinedCluster(
        embedded.servers(), ClusterOptions.connect(embedded.servers(), sessionTimeoutMs), embedded);
  }

  @Override
  public void close() {
    coordination.close();
    if (embedded != null) {
      embedded.close();
    }
  }
}
