package io.drayage.coordination.zookeeper;

import static io.drayage.internal.Texts.format;

import io.drayage.coordination.CoordinationException;
import io.drayage.coordination.Membership;
import io.drayage.coordination.NodeInfo;
import io.drayage.coordination.NodeProgress;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.nodes.PersistentNode;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;

/** The entry of a live node. The node that creates the entry owns the name; no other has it. */
record NodeEntry(
    Curator session, CuratorFramework client, ZooKeeperOptions options, NodeInfo node) {
  private static final System.Logger LOG = System.getLogger(NodeEntry.class.getName());

  private String path() {
    return ZooKeeperCoordination.NODES + "/" + node.name();
  }

  /**
   * Creates the entry, and creates it again whenever the session was lost.
   *
   * @throws CoordinationException if the name is in use, or ZooKeeper does not answer in time
   */
  Membership join() throws CoordinationException {
    takeName();
    // Curator's recipe adopts any entry at the path. After takeName, this entry is our own.
    PersistentNode live =
        new PersistentNode(
            client, CreateMode.EPHEMERAL, false, path(), NodeText.of(node, NodeProgress.UNKNOWN));
    live.start();
    boolean created = false;
    try {
      created =
          live.waitForInitialCreate(options.answerTimeout().toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      if (!created) {
        Curator.close(live);
      }
    }
    if (!created) {
      throw new CoordinationException(
          format(
              "node '%s' cannot join the cluster at %s within %,d s",
              node.name(), options.servers(), options.answerTimeout().toSeconds()));
    }
    return new Membership() {
      @Override
      public void report(NodeProgress progress) {
        try {
          live.setData(NodeText.of(node, progress));
        } catch (Exception e) { // Curator's method declares Exception.
          LOG.log(Level.DEBUG, "{0} cannot report its progress: {1}", node.name(), e.toString());
        }
      }

      @Override
      public void close() {
        Curator.close(live);
      }
    };
  }

  /** Waits until the session of a former node of this name has expired and its entry is gone. */
  private void takeName() throws CoordinationException {
    long patienceNs = options.answerTimeout().plus(options.sessionTimeout()).toNanos();
    long beganNs = System.nanoTime();
    while (!create()) {
      if (System.nanoTime() - beganNs > patienceNs) {
        throw nameTaken();
      }
      Curator.call(
          "wait",
          () -> {
            TimeUnit.MILLISECONDS.sleep(Curator.RETRY_SLEEP_MS);
            return path();
          });
    }
  }

  /** Creates the entry. Returns whether it exists and belongs to this session. */
  private boolean create() throws CoordinationException {
    return Curator.call(
        "create " + path(),
        () -> {
          try {
            client
                .create()
                .creatingParentsIfNeeded()
                .withMode(CreateMode.EPHEMERAL)
                .forPath(path(), NodeText.of(node, NodeProgress.UNKNOWN));
            return true;
          } catch (KeeperException.NodeExistsException e) {
            // The entry is this session's if the answer to an earlier attempt was lost.
            Stat stat = client.checkExists().forPath(path());
            long session = client.getZookeeperClient().getZooKeeper().getSessionId();
            return stat != null && stat.getEphemeralOwner() == session;
          }
        });
  }

  private CoordinationException nameTaken() throws CoordinationException {
    Optional<NodeTree.Value> value = session.read(path());
    String address =
        value.isEmpty() ? "" : ", at " + NodeText.node(path(), value.get().data()).address();
    return new CoordinationException(
        "a node '%s' is in the cluster already%s: give this one another name"
            .formatted(node.name(), address));
  }
}
