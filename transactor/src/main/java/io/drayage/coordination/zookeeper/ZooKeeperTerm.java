package io.drayage.coordination.zookeeper;

import io.drayage.coordination.CoordinationException;
import io.drayage.coordination.DeposedException;
import io.drayage.coordination.NodeInfo;
import io.drayage.coordination.PrimaryInfo;
import io.drayage.coordination.PublishedSnapshot;
import io.drayage.coordination.Term;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException;

/**
 * A term that is fenced by the version of {@code /published}: each write expects the version that
 * the previous one created.
 */
final class ZooKeeperTerm implements Term {
  private static final int MAX_RACES = 100;

  private final CuratorFramework client;
  private final long epoch;
  private final long publishedBefore;

  // Guarded by this:
  private int version;
  private long last;

  private volatile boolean over;

  private ZooKeeperTerm(CuratorFramework client, long epoch, long publishedBefore, int version) {
    this.client = client;
    this.epoch = epoch;
    this.publishedBefore = publishedBefore;
    this.version = version;
    this.last = publishedBefore;
  }

  /** Begins a term: when this returns, no earlier term can publish. */
  static ZooKeeperTerm begin(CuratorFramework client, NodeInfo node) throws CoordinationException {
    long epoch = raiseEpoch(client, node);
    Curator.sync(client, ZooKeeperCoordination.PUBLISHED);
    for (int race = 0; race < MAX_RACES; race++) {
      Optional<Curator.Value> value = Curator.read(client, ZooKeeperCoordination.PUBLISHED);
      PublishedSnapshot before = published(value);
      if (before.epoch() > epoch) {
        throw new DeposedException(before.timestamp(), epoch, before.epoch());
      }
      int expected = value.map(Curator.Value::version).orElse(0);
      int made =
          write(
              client,
              ZooKeeperCoordination.PUBLISHED,
              NodeText.of(new PublishedSnapshot(before.timestamp(), epoch)),
              expected);
      if (made >= 0) {
        return new ZooKeeperTerm(client, epoch, before.timestamp(), made);
      }
      // The previous primary has published meanwhile, or our own answer was lost.
    }
    throw new CoordinationException("the published timestamp changes too fast to take over", null);
  }

  private static PublishedSnapshot published(Optional<Curator.Value> value)
      throws CoordinationException {
    return value.isEmpty()
        ? new PublishedSnapshot(0, 0)
        : NodeText.published(ZooKeeperCoordination.PUBLISHED, value.get().data());
  }

  private static long raiseEpoch(CuratorFramework client, NodeInfo node)
      throws CoordinationException {
    Curator.sync(client, ZooKeeperCoordination.PRIMARY);
    for (int race = 0; race < MAX_RACES; race++) {
      Optional<Curator.Value> value = Curator.read(client, ZooKeeperCoordination.PRIMARY);
      long before =
          value.isEmpty()
              ? 0
              : NodeText.primary(ZooKeeperCoordination.PRIMARY, value.get().data()).epoch();
      PrimaryInfo primary = new PrimaryInfo(node, before + 1);
      int expected = value.map(Curator.Value::version).orElse(0);
      if (write(client, ZooKeeperCoordination.PRIMARY, NodeText.of(primary), expected) >= 0) {
        return primary.epoch();
      }
    }
    throw new CoordinationException("the epoch changes too fast to take over", null);
  }

  /** Returns the new version; negative if {@code expected} is not the current one. */
  private static int write(CuratorFramework client, String path, byte[] data, int expected)
      throws CoordinationException {
    return Curator.call(
        "write " + path,
        () -> {
          try {
            return client.setData().withVersion(expected).forPath(path, data).getVersion();
          } catch (KeeperException.BadVersionException e) {
            return -1;
          }
        });
  }

  @Override
  public long epoch() {
    return epoch;
  }

  @Override
  public long publishedBefore() {
    return publishedBefore;
  }

  @Override
  public synchronized void publish(long timestamp) throws CoordinationException {
    if (timestamp <= last) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "snapshot %d cannot follow %d", timestamp, last));
    }
    byte[] data = NodeText.of(new PublishedSnapshot(timestamp, epoch));
    int made = write(client, ZooKeeperCoordination.PUBLISHED, data, version);
    version = made >= 0 ? made : versionOfOwn(timestamp, data);
    last = timestamp;
  }

  /** An answer may have been lost: then the node has what was written. */
  private int versionOfOwn(long timestamp, byte[] data) throws CoordinationException {
    Curator.sync(client, ZooKeeperCoordination.PUBLISHED);
    Optional<Curator.Value> value = Curator.read(client, ZooKeeperCoordination.PUBLISHED);
    if (value.isPresent() && Arrays.equals(value.get().data(), data)) {
      return value.get().version();
    }
    PublishedSnapshot found = published(value);
    if (found.epoch() == epoch) {
      // An earlier write of ours, whose answer was lost.
      int made = write(client, ZooKeeperCoordination.PUBLISHED, data, value.get().version());
      if (made >= 0) {
        return made;
      }
    }
    over = true;
    throw new DeposedException(timestamp, epoch, found.epoch());
  }

  void end() {
    over = true;
  }

  @Override
  public boolean isOver() {
    return over;
  }
}
