package io.drayage.coordination.zookeeper;

import io.drayage.coordination.CoordinationException;
import io.drayage.coordination.DeposedException;
import io.drayage.coordination.NodeInfo;
import io.drayage.coordination.PrimaryInfo;
import io.drayage.coordination.PublishedSnapshot;
import io.drayage.coordination.Term;
import io.drayage.database.LogPosition;
import java.util.Optional;
import java.util.UUID;

/**
 * A term that is fenced by the version of {@code /published}: each write expects the version that
 * the previous one created.
 */
final class ZooKeeperTerm implements Term {
  private static final int MAX_RACES = 100;

  /** The value that a new term writes with its epoch if nothing is published yet. */
  private static final LogPosition NOTHING = new LogPosition(new UUID(0, 0), 0, 0);

  private static final PublishedSnapshot NOTHING_PUBLISHED = new PublishedSnapshot(NOTHING, 0);

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
   * Begins a term with a higher epoch than any that is known. After the return, no earlier term can
   * publish.
   *
   * @param newestEpoch may be higher than the epoch in ZooKeeper, if ZooKeeper has lost its data
   */
  static ZooKeeperTerm begin(NodeTree tree, NodeInfo node, long newestEpoch)
      throws CoordinationException {
    UUID cluster = cluster(tree);
    tree.sync(ZooKeeperCoordination.PUBLISHED.path());
    long published = published(tree).value().epoch();
    long epoch = raiseEpoch(tree, node, Math.max(newestEpoch, published));
    for (int race = 0; race < MAX_RACES; race++) {
      NodeValue.Versioned<PublishedSnapshot> found = published(tree);
      PublishedSnapshot before = found.value();
      if (before.epoch() > epoch) {
        throw new DeposedException(before.timestamp(), epoch, before.epoch());
      }
      int made = write(tree, new PublishedSnapshot(before.position(), epoch), found.version());
      if (made >= 0) {
        return new ZooKeeperTerm(tree, cluster, epoch, before.position(), made);
      }
      // The previous primary has published meanwhile, or our own answer was lost.
    }
    throw new CoordinationException("the published timestamp changes too fast to take over");
  }

  private static NodeValue.Versioned<PublishedSnapshot> published(NodeTree tree)
      throws CoordinationException {
    return ZooKeeperCoordination.PUBLISHED.read(tree, NOTHING_PUBLISHED);
  }

  /** Writes a value, as {@link NodeTree#write} does. */
  private static int write(NodeTree tree, PublishedSnapshot next, int expected)
      throws CoordinationException {
    return tree.write(ZooKeeperCoordination.PUBLISHED.path(), NodeText.of(next), expected);
  }

  /** Whether the value only holds the epoch of a term that has published nothing yet. */
  static boolean isNothing(PublishedSnapshot value) {
    return value.position().equals(NOTHING);
  }

  /** Returns the id of the cluster. The first node makes it. */
  private static UUID cluster(NodeTree tree) throws CoordinationException {
    NodeValue<UUID> id = ZooKeeperCoordination.CLUSTER;
    tree.ensure(id.path());
    Optional<UUID> made = id.latest(tree);
    while (made.isEmpty()) {
      int unused = tree.write(id.path(), NodeText.of(UUID.randomUUID()), 0);
      made = id.latest(tree);
    }
    return made.get();
  }

  private static long raiseEpoch(NodeTree tree, NodeInfo node, long newestEpoch)
      throws CoordinationException {
    NodeValue<PrimaryInfo> elected = ZooKeeperCoordination.PRIMARY;
    tree.sync(elected.path());
    for (int race = 0; race < MAX_RACES; race++) {
      NodeValue.Versioned<PrimaryInfo> before = elected.read(tree, new PrimaryInfo(node, 0));
      PrimaryInfo primary =
          new PrimaryInfo(node, Math.max(before.value().epoch(), newestEpoch) + 1);
      if (tree.write(elected.path(), NodeText.of(primary), before.version()) >= 0) {
        return primary.epoch();
      }
    }
    throw new CoordinationException("the epoch changes too fast to take over");
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
    PublishedSnapshot next = new PublishedSnapshot(position, epoch);
    int made = write(tree, next, version);
    version = made >= 0 ? made : versionOfOwn(next);
    last = position;
  }

  /** Returns the version of our own value: the answer to its write may have been lost. */
  private int versionOfOwn(PublishedSnapshot own) throws CoordinationException {
    tree.sync(ZooKeeperCoordination.PUBLISHED.path());
    NodeValue.Versioned<PublishedSnapshot> found = published(tree);
    if (found.value().equals(own)) {
      return found.version();
    }
    if (found.value().epoch() == epoch) {
      // This was an earlier write of ours, whose answer was lost.
      int made = write(tree, own, found.version());
      if (made >= 0) {
        return made;
      }
    }
    over = true;
    throw new DeposedException(own.timestamp(), epoch, found.value().epoch());
  }

  void end() {
    over = true;
  }

  @Override
  public boolean isOver() {
    return over;
  }
}
