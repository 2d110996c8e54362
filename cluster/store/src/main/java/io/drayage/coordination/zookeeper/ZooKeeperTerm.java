package io.drayage.coordination.zookeeper;

import io.drayage.coordination.CoordinationException;
import io.drayage.coordination.DeposedException;
import io.drayage.coordination.NodeInfo;
import io.drayage.coordination.PrimaryInfo;
import io.drayage.coordination.PublishedSnapshot;
import io.drayage.coordination.Term;
import io.drayage.database.LogPosition;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;

/**
 * A term that is fenced by the version of {@code /published}: each write expects the version that
 * the previous one created.
 */
final class ZooKeeperTerm implements Term {
  private static final int MAX_RACES = 100;

  /** What a term that begins writes with its epoch where nothing is published yet. */
  private static final LogPosition NOTHING = new LogPosition(new UUID(0, 0), 0, 0);

  private final NodeTree tree;
  private final long epoch;
  private final UUID cluster;
  private final LogPosition publishedBefore;

  // Guarded by this:
  private int version;
  private LogPosition last;

  private volatile boolean over;

  private ZooKeeperTerm(
      NodeTree tree, UUID cluster, long epoch, LogPosition publishedBefore, int version) {
    this.tree = tree;
    this.cluster = cluster;
    this.epoch = epoch;
    this.publishedBefore = publishedBefore;
    this.version = version;
    this.last = publishedBefore;
  }

  /**
   * Begins a term of a higher epoch than any that is known: when this returns, no earlier term can
   * publish.
   *
   * @param newestEpoch may be higher than ZooKeeper's, if that has lost what it knew
   */
  static ZooKeeperTerm begin(NodeTree tree, NodeInfo node, long newestEpoch)
      throws CoordinationException {
    UUID cluster = cluster(tree);
    tree.sync(ZooKeeperCoordination.PUBLISHED);
    long published = published(tree.read(ZooKeeperCoordination.PUBLISHED)).epoch();
    long epoch = raiseEpoch(tree, node, Math.max(newestEpoch, published));
    for (int race = 0; race < MAX_RACES; race++) {
      Optional<NodeTree.Value> value = tree.read(ZooKeeperCoordination.PUBLISHED);
      PublishedSnapshot before = published(value);
      if (before.epoch() > epoch) {
        throw new DeposedException(before.timestamp(), epoch, before.epoch());
      }
      int expected = value.map(NodeTree.Value::version).orElse(0);
      int made =
          tree.write(
              ZooKeeperCoordination.PUBLISHED,
              NodeText.of(new PublishedSnapshot(before.position(), epoch)),
              expected);
      if (made >= 0) {
        return new ZooKeeperTerm(tree, cluster, epoch, before.position(), made);
      }
      // The previous primary has published meanwhile, or our own answer was lost.
    }
    throw new CoordinationException("the published timestamp changes too fast to take over", null);
  }

  private static PublishedSnapshot published(Optional<NodeTree.Value> value)
      throws CoordinationException {
    return value.isEmpty()
        ? new PublishedSnapshot(NOTHING, 0)
        : NodeText.published(ZooKeeperCoordination.PUBLISHED, value.get().data());
  }

  /** Whether the value only holds the epoch of a term that has published nothing yet. */
  static boolean isNothing(PublishedSnapshot value) {
    return value.position().equals(NOTHING);
  }

  /** The id of the cluster, which whoever is first makes. */
  private static UUID cluster(NodeTree tree) throws CoordinationException {
    tree.ensure(ZooKeeperCoordination.CLUSTER);
    Optional<UUID> made = tree.latest(ZooKeeperCoordination.CLUSTER, NodeText::id);
    while (made.isEmpty()) {
      int unused = tree.write(ZooKeeperCoordination.CLUSTER, NodeText.of(UUID.randomUUID()), 0);
      made = tree.latest(ZooKeeperCoordination.CLUSTER, NodeText::id);
    }
    return made.get();
  }

  private static long raiseEpoch(NodeTree tree, NodeInfo node, long newestEpoch)
      throws CoordinationException {
    tree.sync(ZooKeeperCoordination.PRIMARY);
    for (int race = 0; race < MAX_RACES; race++) {
      Optional<NodeTree.Value> value = tree.read(ZooKeeperCoordination.PRIMARY);
      long before =
          value.isEmpty()
              ? 0
              : NodeText.primary(ZooKeeperCoordination.PRIMARY, value.get().data()).epoch();
      PrimaryInfo primary = new PrimaryInfo(node, Math.max(before, newestEpoch) + 1);
      int expected = value.map(NodeTree.Value::version).orElse(0);
      if (tree.write(ZooKeeperCoordination.PRIMARY, NodeText.of(primary), expected) >= 0) {
        return primary.epoch();
      }
    }
    throw new CoordinationException("the epoch changes too fast to take over", null);
  }

  @Override
  public long epoch() {
    return epoch;
  }

  @Override
  public UUID cluster() {
    return cluster;
  }

  @Override
  public Optional<LogPosition> publishedBefore() {
    return Optional.of(publishedBefore).filter(before -> !before.equals(NOTHING));
  }

  @Override
  public synchronized void publish(LogPosition position) throws CoordinationException {
    if (!(last.equals(NOTHING) || position.equals(last) || position.follows(last))) {
      throw new IllegalArgumentException("%s cannot follow %s".formatted(position, last));
    }
    byte[] data = NodeText.of(new PublishedSnapshot(position, epoch));
    int made = tree.write(ZooKeeperCoordination.PUBLISHED, data, version);
    version = made >= 0 ? made : versionOfOwn(position.timestamp(), data);
    last = position;
  }

  /** An answer may have been lost: then the node has what was written. */
  private int versionOfOwn(long timestamp, byte[] data) throws CoordinationException {
    tree.sync(ZooKeeperCoordination.PUBLISHED);
    Optional<NodeTree.Value> value = tree.read(ZooKeeperCoordination.PUBLISHED);
    if (value.isPresent() && Arrays.equals(value.get().data(), data)) {
      return value.get().version();
    }
    PublishedSnapshot found = published(value);
    if (found.epoch() == epoch) {
      // An earlier write of ours, whose answer was lost.
      int made = tree.write(ZooKeeperCoordination.PUBLISHED, data, value.get().version());
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
