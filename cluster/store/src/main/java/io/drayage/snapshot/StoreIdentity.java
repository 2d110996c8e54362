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
 * Checks whether a store holds the database of a cluster: whether the entry that the cluster has
 * published is in the log of the store. Each entry names the checksum of the one before, so all
 * entries before it are equal, too. Immutable, thread-safe; methods read manifests.
 *
 * <p>A primary keeps the published entry in the log, or as the end of a full snapshot ({@link
 * SnapshotCleaner#prune}). So a log that begins after it is another log, unless the published entry
 * that is compared is old.
 *
 * @param database of the store
 * @param cluster the address of the cluster, for messages
 */
public record StoreIdentity(SnapshotCatalog catalog, UUID database, String cluster) {
  /** The location of a published entry. */
  public enum Found {
    /** The log has it. */
    HERE,
    /** The log ends before it. */
    NOT_YET,
    /** The log begins after it. */
    NO_LONGER
  }

  /**
   * Compares a store with the entry that its cluster has published.
   *
   * @return the location, never {@link Found#NO_LONGER}; empty if nothing is published yet
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
      // Unless another entry was published meanwhile.
      if (Objects.equals(published, before)) {
        throw identity.noLonger(published);
      }
      before = published;
    }
  }

  /**
   * Looks for the published entry.
   *
   * @throws ForeignDatabaseException if the entry belongs to another database, or the store has
   *     another entry in its place
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

  /** Fails if the published entry belongs to another database than the store. */
  public void requireDatabase(LogPosition published) throws ForeignDatabaseException {
    if (!published.database().equals(database)) {
      throw ForeignDatabaseException.ofStore(catalog.store().name(), database, cluster, published);
    }
  }

  /** Fails if the store's entry of that timestamp has another checksum. */
  public void requireChecksum(LogPosition published, int here) throws ForeignDatabaseException {
    if (here != published.checksum()) {
      throw ForeignDatabaseException.ofHistory(
          catalog.store().name(), format("has %08x here", here), cluster, published);
    }
  }

  /**
   * Fails if the log continues after the published entry with commits of another cluster. Then the
   * store is a copy with which the other cluster goes on. A takeover alone changes nothing.
   *
   * @param id of the cluster
   */
  public void requireGoesOnHere(LogPosition published, UUID id) throws IOException {
    UUID writer = id;
    try {
      long next = published.timestamp() + 1;
      while (true) {
        for (SnapshotEntry entry : catalog.entriesFrom(next)) {
          writer = requireOf(id, writer, entry.manifest(), published);
          next++;
        }
      }
    } catch (ObjectMissingException e) {
      // This is the end of the log.
    }
  }

  /** Fails if an entry is a commit of another cluster. Returns the writer of the next entry. */
  private UUID requireOf(UUID id, UUID writer, SnapshotManifest entry, LogPosition published)
      throws ForeignDatabaseException {
    if (entry.kind() instanceof SnapshotKind.Takeover other) {
      return other.cluster();
    }
    if (entry.kind() instanceof SnapshotKind.Commit && !writer.equals(id)) {
      throw ForeignDatabaseException.ofHistory(
          catalog.store().name(),
          format(
              "cluster %s goes on here with snapshot %d, while that one is cluster %s",
              writer, entry.timestamp(), id),
          cluster,
          published);
    }
    return writer;
  }

  /** The failure for a published entry that is not in the log any more. */
  public ForeignDatabaseException noLonger(LogPosition published) {
    return ForeignDatabaseException.ofHistory(
        catalog.store().name(), "the log here begins after it", cluster, published);
  }
}
