package io.drayage.snapshot.recovery;

import static io.drayage.internal.Texts.format;

import io.drayage.database.DatabaseOrigin;
import io.drayage.database.ForeignDatabaseException;
import io.drayage.database.LogPosition;
import io.drayage.internal.Begun;
import io.drayage.objectstore.ObjectCorruptException;
import io.drayage.objectstore.ObjectMissingException;
import io.drayage.objectstore.ObjectStore;
import io.drayage.snapshot.LoadingMark;
import io.drayage.snapshot.LogObject;
import io.drayage.snapshot.ManifestText;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotEntry;
import io.drayage.snapshot.SnapshotException;
import io.drayage.snapshot.SnapshotKeys.Place;
import io.drayage.snapshot.SnapshotKind;
import io.drayage.snapshot.SnapshotManifest;
import io.drayage.snapshot.StoredBytes;
import io.drayage.snapshot.StoredText;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Copies a database to another store, as a backup or back from one: its full snapshots, and the log
 * since the oldest of them. A cluster may use the database meanwhile. Objects that exist in the
 * other store are not copied again. Copies are read back and compared with their checksums.
 *
 * <p>A backup is the same database: it keeps the id. A restored database is another one: its
 * manifests are written with a new id, and its full snapshots name the origin.
 *
 * <p>A backup can be loaded after every step: data comes before the manifest that refers to it, and
 * an entry of the log after the one before. Objects that are not needed any more are deleted from
 * the backup, too. A restored database can be loaded only when it is complete, and is deleted after
 * a failure. Not thread-safe.
 */
public final class SnapshotCopy {
  private static final System.Logger LOG = System.getLogger(SnapshotCopy.class.getName());

  /** The number of attempts to mark the oldest full snapshot before a newer one replaces it. */
  private static final int ATTEMPTS = 5;

  private final ObjectStore from;
  private final ObjectStore to;
  private final SnapshotCatalog source;
  private final SnapshotCatalog target;
  private final ObjectTransfer transfer = new ObjectTransfer();
  private final @Nullable UUID restored;

  /** The checksums of the entries that were written to a restored database, by timestamp. */
  private final Map<Long, Integer> checksums = new HashMap<>();

  /** The keys of the objects created in the other store. */
  private final Deque<String> created = new ArrayDeque<>();

  private int copied;
  private int present;
  private int deleted;
  private long bytes;

  /**
   * A copy, which closes neither store.
   *
   * @param to empty, or an earlier copy
   */
  public SnapshotCopy(ObjectStore from, ObjectStore to) {
    this(from, to, null);
  }

  private SnapshotCopy(ObjectStore from, ObjectStore to, @Nullable UUID restored) {
    this.from = from;
    this.to = to;
    this.source = new SnapshotCatalog(from);
    this.target = new SnapshotCatalog(to);
    this.restored = restored;
  }

  /**
   * A copy that becomes another database.
   *
   * @param to without snapshots
   */
  public static SnapshotCopy restoring(ObjectStore from, ObjectStore to) {
    return new SnapshotCopy(from, to, UUID.randomUUID());
  }

  /**
   * The result of a copy.
   *
   * @param database the id of the database in the other store
   * @param timestamp the newest snapshot of the copy
   * @param objects number of copied objects, {@code bytes} long
   * @param present number of objects that existed already
   * @param deleted number of deleted objects of the copy, which are not needed any more
   */
  public record Result(
      UUID database, long timestamp, int objects, long bytes, int present, int deleted) {}

  /**
   * Copies the current contents of the store.
   *
   * @param upTo the newest snapshot to copy, which must exist; the highest long for the newest
   *     snapshot, whatever it is. A backup goes on to the end of the object of that snapshot
   * @throws SnapshotException if there is no database, if the snapshot is missing, or if the other
   *     store has more of the database
   * @throws ForeignDatabaseException if the other store has another database, or this one with
   *     another history
   * @throws IOException if a store cannot be used, or the other store cannot be written
   */
  public Result run(long upTo) throws IOException {
    if (restored == null) {
      return copyOldest(upTo);
    }
    CopyTarget.requireEmpty(target);
    try (Begun begun = new Begun(this::takeBack)) {
      return begun.keep(copyOldest(upTo));
    }
  }

  private Result copyOldest(long upTo) throws IOException {
    to.requireWritable();
    for (int attempt = 1; ; attempt++) {
      List<Long> fulls = source.fullTimestamps().stream().filter(full -> full <= upTo).toList();
      if (fulls.isEmpty()) {
        throw new SnapshotException(
            source.fullTimestamps().isEmpty()
                ? from.name() + " holds no database"
                : format(
                    "%s no longer holds snapshot %d: its oldest full snapshot is %d",
                    from.name(), upTo, source.fullTimestamps().get(0)));
      }
      LoadingMark mark = new LoadingMark(from, fulls.get(0));
      try {
        return copy(source.full(fulls.get(0)), fulls, upTo);
      } catch (ObjectMissingException e) {
        // A newer full snapshot has replaced it, before it was marked.
        if (attempt == ATTEMPTS) {
          throw e;
        }
        if (restored != null) {
          takeBack();
        }
      } finally {
        mark.close();
      }
    }
  }

  private Result copy(SnapshotEntry oldest, List<Long> fulls, long upTo) throws IOException {
    long first = oldest.manifest().timestamp();
    List<SnapshotEntry> log = source.after(oldest);
    // A backup has the same objects, so it does not end within one.
    log.removeIf(entry -> (restored == null ? entry.first() : entry.manifest().timestamp()) > upTo);
    long reached = log.isEmpty() ? first : log.get(log.size() - 1).manifest().timestamp();
    if (reached < upTo && upTo != Long.MAX_VALUE) {
      throw new SnapshotException(
          format("%s does not hold snapshot %d, only %d to %d", from.name(), upTo, first, reached));
    }
    UUID database = oldest.manifest().database();
    @Nullable DatabaseOrigin origin = null;
    if (restored == null) {
      CopyTarget.requireSame(source, target, database, reached);
      for (SnapshotEntry takeover : source.takeovers(first)) {
        copyObject(source.read(takeover.place()));
      }
      copyFull(oldest, null);
    } else {
      origin = new DatabaseOrigin(database, reached);
      database = restored;
    }
    for (int begin = 0, end; begin < log.size(); begin = end) {
      end = begin + 1;
      while (end < log.size() && !log.get(end - 1).endsObject()) {
        end++;
      }
      copyObject(log.subList(begin, end));
    }
    for (long full : restored == null ? fulls.subList(1, fulls.size()) : fulls) {
      copyFull(source.full(full), origin);
    }
    prune(first);
    return new Result(database, reached, copied, bytes, present, deleted);
  }

  /** Copies the entries of an object of the log. */
  private void copyObject(List<SnapshotEntry> entries) throws IOException {
    if (restored == null) {
      copy(entries, StoredText.MANIFEST.read(from, entries.get(0).key()));
      return;
    }
    SnapshotManifest first = entries.get(0).manifest();
    LogPosition before =
        new LogPosition(
            restored,
            first.parent(),
            checksums.getOrDefault(first.parent(), first.parentChecksum()));
    LogObject written = new LogObject(before, first.epoch());
    for (SnapshotEntry entry : entries) {
      if (!written.add(entry.manifest().kind(), entry.manifest().created())) {
        throw new SnapshotException("%s is too long".formatted(entry.key()));
      }
    }
    for (SnapshotEntry entry : written.entries()) {
      checksums.put(entry.manifest().timestamp(), entry.checksum());
    }
    copy(entries, written.text());
  }

  private void copyFull(SnapshotEntry full, @Nullable DatabaseOrigin origin) throws IOException {
    copy(
        List.of(full),
        restored == null
            ? StoredText.MANIFEST.read(from, full.key())
            : ManifestText.encode(restored(full.manifest(), origin)));
  }

  /** Returns the manifest of a full snapshot of the restored database. */
  private SnapshotManifest restored(SnapshotManifest manifest, @Nullable DatabaseOrigin origin) {
    SnapshotKind.Full full = manifest.full();
    return new SnapshotManifest(
        new SnapshotKind.Full(origin, full.rows(), full.history()),
        Objects.requireNonNull(restored),
        manifest.timestamp(),
        manifest.epoch(),
        checksums.getOrDefault(manifest.parent(), manifest.parentChecksum()),
        manifest.created());
  }

  /** Deletes all that was created: manifests before their data. */
  private void takeBack() {
    checksums.clear();
    while (!created.isEmpty()) {
      try {
        to.delete(created.getLast());
        created.removeLast();
      } catch (IOException e) {
        LOG.log(
            Level.WARNING,
            "{0} keeps {1} objects of an incomplete restore: delete them before the next restore: {2}",
            to.name(),
            created.size(),
            e.getMessage());
        return;
      }
    }
  }

  /**
   * Copies the objects to which manifests refer, and then the manifests.
   *
   * @param together the manifests of an object
   * @param text the contents that are written in place of the object
   */
  private void copy(List<SnapshotEntry> together, ByteBuffer text) throws IOException {
    String key = together.get(0).key();
    boolean complete = isThere(key, text);
    for (SnapshotEntry entry : together) {
      for (StoredBytes data : entry.manifest().references()) {
        if (!isThere(data, complete)) {
          copy(data);
        }
      }
    }
    if (complete) {
      present++;
    } else {
      StoredText.MANIFEST.put(to, key, text);
      created.add(key);
      copied++;
      bytes += text.limit();
    }
  }

  private boolean isThere(String manifest, ByteBuffer text) throws IOException {
    try {
      if (!StoredText.MANIFEST.read(to, manifest).equals(text)) {
        throw new SnapshotException(
            "%s: %s differs from that of %s".formatted(to.name(), manifest, from.name()));
      }
      return true;
    } catch (ObjectMissingException e) {
      return false;
    }
  }

  /**
   * Whether data need not be copied. Data that an interrupted copy has left is read back now, and
   * deleted if it is damaged.
   *
   * @param complete whether the manifest of the data exists, so that the data was read back already
   */
  private boolean isThere(StoredBytes data, boolean complete) throws IOException {
    try {
      if (!complete) {
        data.verify(to);
      } else if (to.size(data.key()) != data.digest().bytes()) {
        throw new SnapshotException(
            "%s holds something else as %s".formatted(to.name(), data.key()));
      }
      present++;
      return true;
    } catch (ObjectMissingException e) {
      return false;
    } catch (ObjectCorruptException e) {
      to.delete(data.key());
      return false;
    }
  }

  private void copy(StoredBytes data) throws IOException {
    bytes += transfer.copy(from, data.key(), to, data.key());
    created.add(data.key());
    try {
      data.verify(to);
    } catch (ObjectCorruptException e) {
      to.delete(data.key());
      data.verify(from); // Fails with the name of the source if the source is damaged.
      throw e;
    }
    copied++;
  }

  /** Deletes objects older than a full snapshot from the copy, except takeovers. */
  private void prune(long oldest) throws IOException {
    for (Place place : target.places()) {
      boolean isOld =
          place.timestamp() < oldest || (place.timestamp() == oldest && place.logEntry());
      List<SnapshotEntry> entries = isOld ? target.read(place) : List.of();
      if (isOld && entries.stream().noneMatch(entry -> entry.manifest().isTakeover())) {
        deleted += target.delete(entries);
      }
    }
  }
}
