package io.drayage.snapshot.recovery;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.AppliedDigest;
import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.TableSchema;
import io.drayage.database.KnownTransactions;
import io.drayage.database.LogPosition;
import io.drayage.objectstore.ObjectCorruptException;
import io.drayage.objectstore.ObjectMissingException;
import io.drayage.objectstore.ObjectStoreException;
import io.drayage.objectstore.StoredObject;
import io.drayage.receive.AllowedCodecs;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotEntry;
import io.drayage.snapshot.SnapshotException;
import io.drayage.snapshot.SnapshotKeys;
import io.drayage.snapshot.SnapshotKeys.Place;
import io.drayage.snapshot.SnapshotKind;
import io.drayage.snapshot.SnapshotLoader;
import io.drayage.snapshot.SnapshotManifest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Verifies every snapshot in a store. Reads all data, compares checksums, and decodes the data.
 * Compares the cargo of each log entry with the digest of the applied changes, and the entry with
 * the one before. Checks that all manifests belong to one database. One cargo at a time is in
 * memory; full snapshots are decoded without being kept. Not thread-safe.
 */
public final class SnapshotVerifier {
  private final SnapshotCatalog catalog;
  private final int threads;
  private final AllowedCodecs codecs;

  /** The database of the first manifest. */
  private @Nullable UUID database;

  /** The last entry of the log that could be read. */
  private @Nullable LogPosition read;

  /** The last timestamp of the log so far, also if that entry cannot be read. */
  private @Nullable Long last;

  /** Whether the last object of the log could be read. Otherwise it may have had later entries. */
  private boolean isLengthKnown = true;

  /**
   * The highest epoch so far. Manifests come by timestamp, a log entry before its full snapshot.
   */
  private long highestEpoch;

  /**
   * The result of verifying one snapshot.
   *
   * @param key the key of the object that holds its manifest
   * @param entry its manifest; null if it cannot be read
   * @param error the problem; null if there is none
   */
  public record CheckedManifest(String key, @Nullable SnapshotEntry entry, @Nullable String error) {
    /** The name of the manifest, as {@link SnapshotEntry#name}, or its key. */
    public String name() {
      return entry == null ? key : entry.name();
    }

    /** Whether the snapshot is intact. */
    public boolean isOk() {
      return error == null;
    }
  }

  /** A verifier with all installed codecs, and as many threads as processors. */
  public SnapshotVerifier(SnapshotCatalog catalog) {
    this(catalog, Runtime.getRuntime().availableProcessors(), AllowedCodecs.INSTALLED);
  }

  /**
   * @param threads number of threads that decode, and of blocks that are read at a time
   * @param codecs the allowed codecs; a snapshot in another one is wrong
   */
  public SnapshotVerifier(SnapshotCatalog catalog, int threads, AllowedCodecs codecs) {
    this.catalog = catalog;
    this.threads = threads;
    this.codecs = codecs;
  }

  /**
   * Verifies all snapshots, and continues after a wrong one. Objects that a cluster deletes
   * meanwhile are not reported.
   *
   * @param findings receives one result for each manifest, by timestamp
   * @return the number of wrong snapshots
   * @throws SnapshotException if the store has no snapshots
   * @throws IOException if the store cannot be listed
   */
  public int verify(Consumer<CheckedManifest> findings) throws IOException {
    catalog.requireSnapshots();
    database = null;
    read = null;
    highestEpoch = 0;
    isLengthKnown = true;
    long heapBytes = Runtime.getRuntime().maxMemory();
    try (SnapshotLoader loader = new SnapshotLoader(catalog.store(), threads, heapBytes, codecs)) {
      return verify(loader, findings);
    }
  }

  private int verify(SnapshotLoader loader, Consumer<CheckedManifest> findings) throws IOException {
    List<Long> fulls = catalog.fullTimestamps();
    // Up to there the log has gaps: only takeovers are left of it.
    last = fulls.isEmpty() ? null : fulls.get(0);
    int wrong = 0;
    if (fulls.isEmpty()) {
      wrong++;
      findings.accept(
          new CheckedManifest(
              SnapshotKeys.MANIFESTS, null, "there is no full snapshot from which the log leads"));
    }
    for (StoredObject object : catalog.store().list(SnapshotKeys.MANIFESTS)) {
      for (String key = notListedBefore(object.key());
          key != null;
          key = notListedBefore(object.key())) {
        wrong += verify(loader, key, findings);
      }
      wrong += verify(loader, object.key(), findings);
    }
    return wrong;
  }

  /**
   * The first object that exists between the last one and the next that is listed; null if there is
   * none. Objects are created in order, but the list of a folder that changes may lack an object
   * and contain the next.
   */
  private @Nullable String notListedBefore(String next) throws IOException {
    Place place = SnapshotKeys.place(next);
    if (place == null || !place.logEntry() || last == null || last + 1 >= place.timestamp()) {
      return null;
    }
    if (exists(last + 1)) {
      return Place.entry(last + 1).key();
    }
    long first = place.timestamp();
    while (first - 1 > last && exists(first - 1)) {
      first--;
    }
    return first < place.timestamp() ? Place.entry(first).key() : null;
  }

  private boolean exists(long entry) throws IOException {
    return catalog.store().contains(Place.entry(entry).key());
  }

  /** Verifies the manifests of an object. Returns the number of wrong ones. */
  private int verify(SnapshotLoader loader, String key, Consumer<CheckedManifest> findings)
      throws IOException {
    int wrong = 0;
    for (CheckedManifest finding : verify(loader, key)) {
      // Not reported if it was deleted since it was listed, because no node needs it any more.
      if (finding.isOk() || catalog.store().contains(key)) {
        wrong += finding.isOk() ? 0 : 1;
        findings.accept(finding);
      }
    }
    return wrong;
  }

  private List<CheckedManifest> verify(SnapshotLoader loader, String key) throws IOException {
    Place place = SnapshotKeys.place(key);
    if (place == null) {
      return List.of(new CheckedManifest(key, null, "its name is not that of a manifest"));
    }
    List<SnapshotEntry> entries;
    try {
      entries = catalog.read(place);
    } catch (IOException e) {
      Long unused = reached(place);
      isLengthKnown = !place.logEntry();
      return List.of(new CheckedManifest(key, null, why(e)));
    }
    List<CheckedManifest> findings = new ArrayList<>();
    for (SnapshotEntry entry : entries) {
      long timestamp = entry.manifest().timestamp();
      String error = misplaced(entry, reached(new Place(place.logEntry(), timestamp)));
      findings.add(
          new CheckedManifest(key, entry, error == null ? verifyData(loader, entry) : error));
    }
    return findings;
  }

  /** Notes the last timestamp of the log. Returns the one before. */
  private @Nullable Long reached(Place place) {
    Long before = last;
    if (place.logEntry() && (before == null || place.timestamp() > before)) {
      last = place.timestamp();
    }
    return before;
  }

  /**
   * The problem of a manifest after those before it; null if there is none.
   *
   * @param before the last timestamp of the log before; null if there was none
   */
  private @Nullable String misplaced(SnapshotEntry entry, @Nullable Long before)
      throws IOException {
    SnapshotManifest manifest = entry.manifest();
    database = database == null ? manifest.database() : database;
    if (!manifest.database().equals(database)) {
      return "it is of database %s, and those before it of %s"
          .formatted(manifest.database(), database);
    }
    LogPosition parent = read;
    long highest = highestEpoch;
    highestEpoch = Math.max(highestEpoch, manifest.epoch());
    if (manifest.isLogEntry()) {
      read = entry.position();
    }
    if (manifest.epoch() < highest) {
      return "it " + entry.falls(highest);
    }
    if (parent != null
        && parent.timestamp() == manifest.parent()
        && parent.checksum() != manifest.parentChecksum()) {
      return format(
          "it refers to a snapshot %d with checksum %08x, but the checksum is %08x",
          manifest.parent(), manifest.parentChecksum(), parent.checksum());
    }
    boolean hasGap =
        manifest.isLogEntry() && isLengthKnown && before != null && manifest.parent() > before;
    isLengthKnown = true;
    return hasGap && isNeeded(manifest.parent())
        ? format("snapshot %d is missing before it", manifest.parent())
        : null;
  }

  /** Whether it is after the oldest full snapshot, which may be a newer one by now. */
  private boolean isNeeded(long timestamp) throws IOException {
    for (long full : catalog.fullTimestamps()) {
      if (catalog.store().contains(Place.full(full).key())) {
        return timestamp > full;
      }
    }
    return true;
  }

  private @Nullable String verifyData(SnapshotLoader loader, SnapshotEntry entry) {
    try {
      return entry
          .manifest()
          .kind()
          .<@Nullable String, IOException>fold(
              commit -> difference(commit, loader.load(entry), keys(entry.manifest())),
              end -> null,
              takeover -> null,
              full -> {
                KnownTransactions unusedHistory = catalog.history(entry);
                long unused = loader.digestFull(full.rows());
                return null;
              });
    } catch (IOException e) {
      return why(e);
    }
  }

  /** The difference between a commit and its cargoes; null if there is none. */
  private static @Nullable String difference(
      SnapshotKind.Commit commit, SnapshotLoader.EntryCargoes cargoes, String keys)
      throws IOException {
    List<String> droppedTables = new ArrayList<>();
    Set<TableSchema> newTables = new LinkedHashSet<>();
    long found = digest(cargoes, droppedTables, newTables);
    if (found != commit.applied()) {
      return "%s is a cargo with digest %s, but %s was applied"
          .formatted(keys, CargoDigest.toHex(found), CargoDigest.toHex(commit.applied()));
    }
    if (!droppedTables.equals(commit.droppedTables())) {
      return "%s drops %s, but the entry says %s"
          .formatted(keys, droppedTables, commit.droppedTables());
    }
    return List.copyOf(newTables).equals(commit.newTables())
        ? null
        : "%s adds %s, but the entry says %s".formatted(keys, newTables, commit.newTables());
  }

  /**
   * Computes a {@link io.drayage.store.TransactionBuild#digest} of changes before they are applied.
   *
   * @param droppedTables to which the names are added that the cargoes drop
   * @param newTables to which the tables are added that the cargoes add
   */
  private static long digest(
      SnapshotLoader.EntryCargoes cargoes, List<String> droppedTables, Set<TableSchema> newTables)
      throws IOException {
    long digest = 0;
    for (ChangeCargo cargo = cargoes.next(); cargo != null; cargo = cargoes.next()) {
      droppedTables.addAll(cargo.droppedTables());
      newTables.addAll(cargo.newTables());
      digest = AppliedDigest.followedBy(digest, AppliedDigest.of(cargo));
    }
    return digest;
  }

  private static String keys(SnapshotManifest manifest) {
    return manifest.cargoes().stream()
        .map(cargo -> cargo.data().key())
        .collect(Collectors.joining(", "));
  }

  /** Describes a failure. A failure to answer is no problem of the objects in the store. */
  private static String why(IOException e) {
    boolean isAnswer =
        !(e instanceof ObjectStoreException)
            || e instanceof ObjectCorruptException
            || e instanceof ObjectMissingException;
    return (isAnswer ? "" : "it cannot be read now, and may be intact: ") + e.getMessage();
  }
}
