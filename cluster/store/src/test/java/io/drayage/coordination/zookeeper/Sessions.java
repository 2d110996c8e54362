package io.drayage.coordination.zookeeper;

import io.drayage.coordination.CoordinationException;
import java.util.concurrent.CountDownLatch;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooKeeper;

/** Ends sessions as a server does after its client was silent for too long. */
final class Sessions {
  private static final int TIMEOUT_MS = 10_000;

  private Sessions() {}

  /** ZooKeeper's own client of {@code coordination}. */
  static ZooKeeper client(ZooKeeperCoordination coordination) throws CoordinationException {
    return ((Curator) coordination.tree()).client();
  }

  /** Ends the session of {@code coordination} from outside. */
  static void end(ZooKeeperCoordination coordination, String servers) throws Exception {
    ZooKeeper client = client(coordination);
    CountDownLatch connected = new CountDownLatch(1);
    ZooKeeper twin =
        new ZooKeeper(
            servers,
            TIMEOUT_MS,
            event -> {
              if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
              }
            },
            client.getSessionId(),
            client.getSessionPasswd());
    connected.await();
    twin.close();
  }
}
