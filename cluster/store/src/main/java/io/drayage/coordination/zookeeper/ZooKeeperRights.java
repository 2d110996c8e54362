package io.drayage.coordination.zookeeper;

import io.drayage.coordination.CoordinationException;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;

/**
 * The access rights of the nodes that a session creates.
 *
 * @param nodes the full path of the parent of the entries of live nodes
 * @param all the rights of each node
 * @param names the rights of {@code nodes}
 */
record ZooKeeperRights(String nodes, List<ACL> all, List<ACL> names) implements ACLProvider {
  /** Grants all rights to the session's own login, and none to others. */
  static ZooKeeperRights ofCreator() {
    return new ZooKeeperRights("", Ids.CREATOR_ALL_ACL, Ids.CREATOR_ALL_ACL);
  }

  /**
   * Grants all rights to transactors. Workers may read, and enter and remove names.
   *
   * @param transactors {@code USER:PASSWORD}, like {@code workers}
   */
  static ZooKeeperRights of(String root, String transactors, String workers) {
    // These lists accept contains(null), which ZooKeeper calls.
    ACL owner = new ACL(Perms.ALL, digest(transactors));
    int naming = Perms.READ | Perms.CREATE | Perms.DELETE;
    return new ZooKeeperRights(
        "/" + root + ZooKeeperCoordination.NODES,
        Arrays.asList(owner, new ACL(Perms.READ, digest(workers))),
        Arrays.asList(owner, new ACL(naming, digest(workers))));
  }

  private static Id digest(String credentials) {
    try {
      return new Id("digest", DigestAuthenticationProvider.generateDigest(credentials));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("ZooKeeper's digest algorithm is unknown", e);
    }
  }

  @Override
  public List<ACL> getDefaultAcl() {
    return all;
  }

  @Override
  public List<ACL> getAclForPath(String path) {
    return path.equals(nodes) ? names : all;
  }

  /**
   * Sets the rights of existing nodes, also if a worker created them first. Creates the missing
   * nodes, because the session of an operator would create them without rights for workers.
   */
  void claim(NodeTree tree, CuratorFramework client) throws CoordinationException {
    tree.ensure(ZooKeeperCoordination.NODES);
    tree.ensure(ZooKeeperCoordination.HAND_OVER.path());
    tree.ensure(ZooKeeperCoordination.MAINTENANCE.path());
    claim(client, "/", all);
    claim(client, ZooKeeperCoordination.NODES, names);
    claim(client, ZooKeeperCoordination.ELECTION, all);
    for (NodeValue<?> value : ZooKeeperCoordination.VALUES) {
      claim(client, value.path(), all);
    }
  }

  private static void claim(CuratorFramework client, String path, List<ACL> rights)
      throws CoordinationException {
    Curator.call(
        "set the rights of " + path,
        () -> {
          try {
            return client.setACL().withACL(rights).forPath(path);
          } catch (KeeperException.NoNodeException e) {
            return path;
          }
        });
  }
}
