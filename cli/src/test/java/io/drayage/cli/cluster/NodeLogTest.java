package io.drayage.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeLogTest {
  /** Messages of a takeover, and of lasting failures. */
  @ParameterizedTest
  @CsvSource({
    "org.apache.curator.framework.recipes.leader.LeaderLatch, false",
    "org.apache.curator.framework.imps.CuratorFrameworkImpl, false",
    "org.apache.curator.ConnectionState, false",
    "org.apache.zookeeper.ClientCnxn, false",
    "org.apache.zookeeper.client.StaticHostProvider, false",
    "org.apache.curator.framework.listen.MappingListenerManager, true",
    "org.apache.zookeeper.server.ZooKeeperServer, true",
    "org.apache.zookeeper.server.SyncRequestProcessor, true",
    "io.drayage.transactor.PrimaryRole, true"
  })
  void whatATakeoverBringsAboutIsNoError(String logger, boolean isTold) {
    NodeLog.setUp();

    assertThat(Logger.getLogger(logger).isLoggable(Level.SEVERE)).isEqualTo(isTold);
  }
}
