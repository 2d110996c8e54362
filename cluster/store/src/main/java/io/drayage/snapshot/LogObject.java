package io.drayage.snapshot;

import static io.drayage.internal.Texts.format;

import io.drayage.database.LogPosition;
import io.drayage.objectstore.ObjectDigest;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Consecutive entries of the log that are stored together, as one object. The key of the object has
 * the timestamp of the first entry. Only one node can create an object of that key, which decides
 * races: the other node has none of its entries in the log. So entries are durable together, or
 * none is. Not thread-safe.
 */
public final class LogObject {
  /** The divisor of the limit of a manifest: several entries may be that long together. */
  private static final int TOGETHER_SHARE = 16;

  private final long epoch;
  private final LogPosition before;
  private final ByteArrayOutputStream text = new ByteArrayOutputStream();
  private final List<SnapshotManifest> manifests = new ArrayList<>();
  private final List<Integer> checksums = new ArrayList<>();

  /**
   * An object without entries.
   *
   * @param before the newest entry of the log
   * @param epoch of the primary
   */
  public LogObject(LogPosition before, long epoch) {
    this.before = before;
    this.epoch = epoch;
  }

  /**
   * Adds the next entry.
   *
   * @return false if it does not fit in addition to the others, so that it was not added
   */
  public boolean add(SnapshotKind kind, Instant created) {
    SnapshotManifest manifest = SnapshotManifest.entry(kind, end(), epoch, created);
    ByteBuffer encoded = ManifestText.encode(manifest);
    if (!manifests.isEmpty() && text.size() + encoded.remaining() > maxTogetherBytes()) {
      return false;
    }
    manifests.add(manifest);
    checksums.add(ObjectDigest.checksum(encoded));
    text.write(encoded.array(), encoded.arrayOffset() + encoded.position(), encoded.remaining());
    return true;
  }

  private static int maxTogetherBytes() {
    return StoredText.MANIFEST.maxBytes() / TOGETHER_SHARE;
  }

  private LogPosition end() {
    int last = manifests.size() - 1;
    return last < 0
        ? before
        : new LogPosition(before.database(), manifests.get(last).timestamp(), checksums.get(last));
  }

  /** The timestamp of the next entry. */
  public long next() {
    return end().timestamp() + 1;
  }

  /** The timestamp of the first entry. */
  public long first() {
    return before.timestamp() + 1;
  }

  /** The added entries. */
  public List<SnapshotEntry> entries() {
    return entries(manifests, checksums);
  }

  /** Whether these are the entries, as stored. */
  public boolean isSame(List<SnapshotEntry> stored) {
    return stored.stream().allMatch(entry -> entry.manifest().epoch() == epoch)
        && stored.stream().map(SnapshotEntry::checksum).toList().equals(checksums);
  }

  /** The contents of the object. */
  public ByteBuffer text() {
    return ByteBuffer.wrap(text.toByteArray());
  }

  /**
   * Parses an object.
   *
   * @throws IllegalArgumentException if it does not hold consecutive entries
   */
  static List<SnapshotEntry> parse(ByteBuffer object) {
    List<SnapshotManifest> manifests = new ArrayList<>();
    List<Integer> checksums = new ArrayList<>();
    for (ByteBuffer text : RecordLines.split(object)) {
      SnapshotManifest manifest = parseOne(text);
      if (!manifests.isEmpty()) {
        requireNext(manifests.get(manifests.size() - 1), manifest);
      }
      manifests.add(manifest);
      checksums.add(ObjectDigest.checksum(text));
    }
    return entries(manifests, checksums);
  }

  private static SnapshotManifest parseOne(ByteBuffer text) {
    return ManifestText.parse(StandardCharsets.UTF_8.decode(text.duplicate()).toString());
  }

  /** The manifests of a damaged object, in their places; null for those that cannot be read. */
  static List<@Nullable SnapshotManifest> readable(ByteBuffer object) {
    List<@Nullable SnapshotManifest> manifests = new ArrayList<>();
    for (ByteBuffer text : RecordLines.split(object)) {
      try {
        manifests.add(parseOne(text));
      } catch (IllegalArgumentException e) {
        manifests.add(null);
      }
    }
    return manifests;
  }

  private static void requireNext(SnapshotManifest before, SnapshotManifest next) {
    if (!next.isLogEntry() || next.timestamp() != before.timestamp() + 1) {
      throw new IllegalArgumentException(
          format(
              "%s %d cannot follow %s %d in one object",
              next.kind().text(), next.timestamp(), before.kind().text(), before.timestamp()));
    }
  }

  private static List<SnapshotEntry> entries(
      List<SnapshotManifest> manifests, List<Integer> checksums) {
    List<SnapshotEntry> entries = new ArrayList<>();
    for (int i = 0; i < manifests.size(); i++) {
      entries.add(
          new SnapshotEntry(
              manifests.get(i),
              checksums.get(i),
              manifests.get(0).timestamp(),
              manifests.get(manifests.size() - 1).timestamp()));
    }
    return entries;
  }
}
