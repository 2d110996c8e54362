package io.drayage.database;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.MessageForUsers;
import java.io.IOException;
import java.io.Serial;
import java.util.UUID;

/**
 * Thrown if something belongs to another database than it should, or to another history of the same
 * database. A retry cannot succeed. The message names both databases, and the location of each.
 */
public final class ForeignDatabaseException extends IOException implements MessageForUsers {
  @Serial private static final long serialVersionUID = 1;

  /**
   * @param message names both databases, and where each was found
   */
  public ForeignDatabaseException(String message) {
    super(message);
  }

  /**
   * A store that has another database than the cluster.
   *
   * @param store its name
   * @param found its database
   * @param cluster the address of the cluster
   * @param published the entry that the cluster has published
   */
  public static ForeignDatabaseException ofStore(
      String store, UUID found, String cluster, LogPosition published) {
    return new ForeignDatabaseException(
        "%s holds database %s, but %s is of database %s: name the store of that cluster, or start another one with another /ROOT"
            .formatted(store, found, cluster, published.database()));
  }

  /** A store without a database, for a cluster that has one. */
  public static ForeignDatabaseException ofEmptyStore(
      String store, String cluster, LogPosition published) {
    return new ForeignDatabaseException(
        "%s holds no database, but %s is of database %s: name the store of that cluster, or start another one with another /ROOT"
            .formatted(store, cluster, published.database()));
  }

  /**
   * A store that has another entry than was read before, from this store or from the cluster's.
   *
   * @param store its name
   * @param read the entry that was read before
   * @param found the entry that the store has in its place
   */
  public static ForeignDatabaseException ofEntry(
      String store, LogPosition read, LogPosition found) {
    return new ForeignDatabaseException(
        "%s has %s, and the statement was planned on %s: the database was made again, restored or repaired meanwhile; run the statement again"
            .formatted(store, found, read));
  }

  /**
   * A store with the cluster's database, but with another log than the cluster.
   *
   * @param here the entry of the store in place of the published one
   */
  public static ForeignDatabaseException ofHistory(
      String store, String here, String cluster, LogPosition published) {
    return new ForeignDatabaseException(
        format(
            "%s holds another history of database %s than %s: snapshot %d was published there with"
                + " checksum %08x, and %s; it is a copy that went its own way, or an old one",
            store,
            published.database(),
            cluster,
            published.timestamp(),
            published.checksum(),
            here));
  }
}
