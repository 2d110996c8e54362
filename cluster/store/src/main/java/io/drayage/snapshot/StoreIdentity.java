package io.drayage.snapshot;

import static io.drayage.internal.Texts.format;

import io.drayage.coordination.Coordination;
import io.drayage.coordination.PublishedSnapshot;
import io.drayage.database.ForeignDatabaseException;
import io.drayage.database.LogPosition;
import io.drayage.objectstore.ObjectMissingException;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether a store holds the database of a cluster: whether the entry that the cluster has
 * published is in the log of the store. Since each entry names the checksum of the one before, all
 * before it is the same then, too. Immutable, thread-safe; methods read manifests.
 *
 * <p>A primary keeps what is published in the log, or as the end of a full snapshot ({@link
 * SnapshotCleaner#prune}). So a log that begins later is another one, unless what is compared is
 * old.
 */
public final class StoreIdentity {
  private final SnapshotCatalog catalog;
  private final UUID database;
  private final String cluster;

  /** Where a published entry is. */
  public enum Found {
    /** In the store. */
    HERE,
    /** The log ends before it. */
    NOT_YET,
    /** The log begins after it. */
    NO_LONGER
  }

  /**
   * @param database of the store
   * @param cluster where the cluster is, for messages
   */
  public StoreIdentity(SnapshotCatalog catalog, UUID database, String cluster) {
    this.catalog = catalog;
    this.database = database;
    this.cluster = cluster;
  }

  /**
   * Compares a store with what its cluster has published, if it has published anything.
   *
   * @return where that is; empty if nothing is published yet. Never {@link Found#NO_LONGER}
   * @throws ForeignDatabaseException if the store has another database or history, or none
   */
  public static Optional<Found> compare(SnapshotCatalog catalog, Coordination coordination)
      throws IOException {
    @Nullable LogPosition before = null;
    while (true) {
      LogPosition published =
          coordination.published().map(PublishedSnapshot::position).orElse(null);
      if (published == null) {
        return Optional.empty();
      }
      Optional<UUID> here = catalog.database();
      if (here.isEmpty()) {
        throw ForeignDatabaseException.ofEmptyStore(
            catalog.store().name(), coordination.name(), published);
      }
      StoreIdentity identity = new StoreIdentity(catalog, here.get(), coordination.name());
      Found found = identity.find(published);
      if (found == Found.HERE) {
        identity.requireGoesOnHere(published, coordination.cluster().orElseThrow());
      }
      if (found != Found.NO_LONGER) {
        return Optional.of(found);
      }
      // Unless it was replaced meanwhile.
      if (Objects.equals(published, before)) {
        throw identity.noLonger(published);
      }
      before = published;
    }
  }

  /**
   * Looks for what is published.
   *
   * @throws ForeignDatabaseException if it is of another database, or the store has another entry
   *     in its place
   */
  public Found find(LogPosition published) throws IOException {
    requireDatabase(published);
    OptionalInt checksum = catalog.checksum(published.timestamp());
    if (checksum.isPresent()) {
      requireChecksum(published, checksum.getAsInt());
      return Found.HERE;
    }
    return catalog.newestTimestamp() < published.timestamp() ? Found.NOT_YET : Found.NO_LONGER;
  }

  /** Fails if what is published is of another database than the store. */
  public void requireDatabase(LogPosition published) throws ForeignDatabaseException {
    if (!published.database().equals(database)) {
      throw ForeignDatabaseException.ofStore(catalog.store().name(), database, cluster, published);
    }
  }

  /** Fails if the entry of that timestamp has another checksum here. */
  public void requireChecksum(LogPosition published, int here) throws ForeignDatabaseException {
    if (here != published.checksum()) {
      throw ForeignDatabaseException.ofHistory(
          catalog.store().name(), format("has %08x here", here), cluster, published);
    }
  }

  /**
   * Fails if the log goes on behind what is published with commits of another cluster: it is a copy
   * that this one goes on from. A takeover alone changes nothing.
   *
   * @param id of the cluster
   */
  public void requireGoesOnHere(LogPosition published, UUID id) throws IOException {
    UUID writer = id;
    try {
      for (long next = published.timestamp() + 1; ; next++) {
        SnapshotManifest entry = catalog.entry(next).manifest();
        writer = entry.kind() instanceof SnapshotKind.Takeover other ? other.cluster() : writer;
        if (entry.kind() instanceof SnapshotKind.Commit && !writer.equals(id)) {
          throw ForeignDatabaseException.ofHistory(
              catalog.store().name(),
              format(
                  "cluster %s goes on here with snapshot %d, while that one is cluster %s",
                  writer, next, id),
              cluster,
              published);
        }
      }
    } catch (ObjectMissingException e) {
      // That was the end of the log.
    }
  }

  /** What is published now is not in the log any more. */
  public ForeignDatabaseException noLonger(LogPosition published) {
    return ForeignDatabaseException.ofHistory(
        catalog.store().name(), "the log here begins after it", cluster, published);
  }
}
