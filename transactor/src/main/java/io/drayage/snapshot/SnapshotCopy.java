package io.drayage.snapshot;

import io.drayage.objectstore.ObjectCorruptException;
import io.drayage.objectstore.ObjectMissingException;
import io.drayage.objectstore.ObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Copies a database to another store, as a backup or back from one: its full snapshots and the log
 * since the oldest of them. A cluster may go on with it meanwhile. What the other store has already
 * is not copied again, and what was written there is read back and compared with its checksums.
 *
 * <p>The copy can be loaded after every step: data comes before the manifest that refers to it, and
 * an entry of the log after the one before. What the database no longer needs is deleted from the
 * copy as well. Not thread-safe.
 */
public final class SnapshotCopy {
  /** How often the oldest full snapshot may be replaced before it is marked as being read. */
  private static final int ATTEMPTS = 5;

  private final ObjectStore from;
  private final ObjectStore to;
  private final SnapshotCatalog source;
  private final SnapshotCatalog target;
  private final ObjectTransfer transfer = new ObjectTransfer();
  private int copied;
  private int present;
  private int deleted;
  private long bytes;

  /**
   * Both stores stay the caller's.
   *
   * @param to empty, or an earlier copy
   */
  public SnapshotCopy(ObjectStore from, ObjectStore to) {
    this.from = from;
    this.to = to;
    this.source = new SnapshotCatalog(from);
    this.target = new SnapshotCatalog(to);
  }

  /**
   * What was done.
   *
   * @param timestamp the newest snapshot of the copy
   * @param objects that were copied, and {@code bytes} how long they are
   * @param present objects that were there
   * @param deleted objects of the copy that are not needed any more
   */
  public record Result(long timestamp, int objects, long bytes, int present, int deleted) {}

  /**
   * Copies what is there at the moment.
   *
   * @param upTo the newest snapshot that is wanted
   * @throws SnapshotException if there is no database, none so old, or another one in the other
   *     store
   */
  public Result run(long upTo) throws IOException {
    for (int attempt = 1; ; attempt++) {
      List<Long> fulls = source.fullTimestamps().stream().filter(full -> full <= upTo).toList();
      if (fulls.isEmpty()) {
        throw new SnapshotException(
            source.fullTimestamps().isEmpty()
                ? from.name() + " holds no database"
                : String.format(
                    Locale.ROOT,
                    "%s no longer holds snapshot %d: its oldest full snapshot is %d",
                    from.name(),
                    upTo,
                    source.fullTimestamps().get(0)),
            null);
      }
      LoadingMark mark = new LoadingMark(from, fulls.get(0));
      try {
        return copy(source.full(fulls.get(0)), fulls, upTo);
      } catch (ObjectMissingException e) {
        // A newer full snapshot has replaced it, before it was marked.
        if (attempt == ATTEMPTS) {
          throw e;
        }
      } finally {
        mark.close();
      }
    }
  }

  private Result copy(SnapshotEntry oldest, List<Long> fulls, long upTo) throws IOException {
    long first = oldest.manifest().timestamp();
    List<SnapshotEntry> log = source.after(first, oldest.manifest().parentChecksum());
    log.removeIf(entry -> entry.manifest().timestamp() > upTo);
    long reached = log.isEmpty() ? first : log.get(log.size() - 1).manifest().timestamp();
    requireBehind(reached);
    for (long timestamp : source.logTimestamps()) {
      if (timestamp <= first) {
        copyTakeover(source.entry(timestamp).manifest());
      }
    }
    copy(oldest.manifest());
    for (SnapshotEntry entry : log) {
      copy(entry.manifest());
    }
    for (long full : fulls.subList(1, fulls.size())) {
      copy(source.full(full).manifest());
    }
    prune(first);
    return new Result(reached, copied, bytes, present, deleted);
  }

  /** A copy that a cluster has written to is a database of its own. */
  private void requireBehind(long reached) throws IOException {
    List<Long> there = target.logTimestamps();
    if (!there.isEmpty() && there.get(there.size() - 1) > reached) {
      throw new SnapshotException(
          String.format(
              Locale.ROOT,
              "%s holds another database, or more of this one: it is at snapshot %d, and this would end at %d",
              to.name(),
              there.get(there.size() - 1),
              reached),
          null);
    }
  }

  /** No other entries of the log are needed before the oldest full snapshot. */
  private void copyTakeover(SnapshotManifest manifest) throws IOException {
    if (manifest.kind() == SnapshotKind.TAKEOVER) {
      copy(manifest);
    }
  }

  /** Copies what a manifest refers to, and then itself. */
  private void copy(SnapshotManifest manifest) throws IOException {
    ByteBuffer text = read(from, manifest.key());
    boolean complete = isThere(manifest.key(), text);
    for (StoredBytes data : SnapshotCatalog.references(manifest)) {
      if (!isThere(data, complete)) {
        copy(data);
      }
    }
    if (complete) {
      present++;
    } else {
      to.put(manifest.key(), text);
      copied++;
      bytes += text.limit();
    }
  }

  private boolean isThere(String manifest, ByteBuffer text) throws IOException {
    try {
      if (!read(to, manifest).equals(text)) {
        throw new SnapshotException(
            "%s holds another database: its %s differs from that of %s"
                .formatted(to.name(), manifest, from.name()),
            null);
      }
      return true;
    } catch (ObjectMissingException e) {
      return false;
    }
  }

  /**
   * Whether data need not be copied.
   *
   * @param complete whether its manifest is there, so that it was read back; what an interrupted
   *     copy has left is read back now, and deleted if it is damaged
   */
  private boolean isThere(StoredBytes data, boolean complete) throws IOException {
    try {
      if (!complete) {
        data.verify(to);
      } else if (to.size(data.key()) != data.digest().bytes()) {
        throw new SnapshotException(
            "%s holds something else as %s".formatted(to.name(), data.key()), null);
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
    try {
      data.verify(to);
    } catch (ObjectCorruptException e) {
      to.delete(data.key());
      data.verify(from); // Names the source if the damage is there.
      throw e;
    }
    copied++;
  }

  private static ByteBuffer read(ObjectStore store, String key) throws IOException {
    ByteBuffer text = ByteBuffer.allocate((int) store.size(key));
    store.read(key, 0, text);
    return text.flip();
  }

  /** Deletes from the copy what is older than a full snapshot, but for takeovers. */
  private void prune(long oldest) throws IOException {
    List<SnapshotManifest> old = new ArrayList<>();
    for (long full : target.fullTimestamps()) {
      if (full < oldest) {
        old.add(target.full(full).manifest());
      }
    }
    for (long timestamp : target.logTimestamps()) {
      SnapshotManifest manifest = target.entry(timestamp).manifest();
      if (timestamp <= oldest && manifest.kind() != SnapshotKind.TAKEOVER) {
        old.add(manifest);
      }
    }
    for (SnapshotManifest manifest : old) {
      to.delete(manifest.key());
      for (StoredBytes data : SnapshotCatalog.references(manifest)) {
        to.delete(data.key());
        deleted++;
      }
      deleted++;
    }
  }
}
