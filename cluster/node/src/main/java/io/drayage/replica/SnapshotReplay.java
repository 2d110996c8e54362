package io.drayage.replica;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.CargoDigest;
import io.drayage.objectstore.ObjectStore;
import io.drayage.receive.AllowedCodecs;
import io.drayage.snapshot.LoadingMark;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotContents;
import io.drayage.snapshot.SnapshotEntry;
import io.drayage.snapshot.SnapshotException;
import io.drayage.snapshot.SnapshotLoader;
import io.drayage.snapshot.SnapshotLoader.EntryCargoes;
import io.drayage.store.AppliedDiffersException;
import io.drayage.store.FullBounds;
import io.drayage.store.FullContents;
import io.drayage.store.MemoryStore;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Applies the log of a store to a full snapshot of it, in its own memory. Compares the changes of
 * each entry with the digest in the log, and each later full snapshot with the replayed database.
 * Goes on after a difference. Needs memory for the database and two cargoes. Not thread-safe.
 */
public final class SnapshotReplay {
  private final SnapshotCatalog catalog;
  private final int threads;
  private final AllowedCodecs codecs;
  private int wrong;

  /**
   * The result for an entry or a full snapshot.
   *
   * @param key of its manifest
   * @param error the difference or failure; null if there is none
   */
  public record Finding(String key, @Nullable String error) {
    /** Whether there is no error. */
    public boolean isOk() {
      return error == null;
    }
  }

  /**
   * The result of a replay.
   *
   * @param from the full snapshot with which it began
   * @param reached the last applied entry
   * @param fulls number of later full snapshots that were compared
   * @param wrong number of entries and full snapshots that differ, or could not be applied
   */
  public record Result(long from, long reached, int fulls, int wrong) {}

  /**
   * @param objects owned by the caller
   * @param threads number of threads that decode and apply
   * @param codecs the codecs that commits may have used
   */
  public SnapshotReplay(ObjectStore objects, int threads, AllowedCodecs codecs) {
    this.catalog = new SnapshotCatalog(objects);
    this.threads = threads;
    this.codecs = codecs;
  }

  /**
   * Replays the log.
   *
   * @param from a full snapshot; empty for the oldest
   * @param findings receives one for each entry and full snapshot, in order
   * @throws SnapshotException if there is no such full snapshot, or the log cannot be followed
   *     because it has a gap or its epochs decrease
   * @throws IOException if the first full snapshot cannot be loaded
   */
  public Result run(OptionalLong from, Consumer<Finding> findings) throws IOException {
    wrong = 0;
    List<Long> fulls = catalog.fullTimestamps();
    if (fulls.isEmpty()) {
      throw new SnapshotException("%s holds no full snapshot".formatted(catalog.store().name()));
    }
    long begin = from.orElse(fulls.get(0));
    LoadingMark mark = new LoadingMark(catalog.store(), begin);
    try (SnapshotLoader loader =
        new SnapshotLoader(catalog.store(), threads, Runtime.getRuntime().maxMemory(), codecs)) {
      Run run = new Run(loader, catalog.full(begin), new TreeSet<>(fulls).tailSet(begin, false));
      return run.replay(findings);
    } finally {
      mark.close();
    }
  }

  /** One replay. */
  private final class Run {
    private final SnapshotLoader loader;
    private final SnapshotEntry full;
    private final NavigableSet<Long> fulls;
    private final MemoryStore store;
    private int compared;

    Run(SnapshotLoader loader, SnapshotEntry full, NavigableSet<Long> fulls) throws IOException {
      this.loader = loader;
      this.full = full;
      this.fulls = fulls;
      this.store = ReplicaCopy.load(loader, full, catalog.history(full), threads, 0).store();
    }

    Result replay(Consumer<Finding> findings) throws IOException {
      long begin = full.manifest().timestamp();
      List<SnapshotEntry> entries = catalog.after(full);
      try {
        loader.loadInOrder(
            entries,
            (entry, cargoes) -> {
              tell(findings, new Finding(entry.name(), apply(entry, cargoes)));
              if (fulls.contains(entry.manifest().timestamp())) {
                tell(findings, compare(entry.manifest().timestamp(), entry.checksum()));
              }
            });
      } catch (IOException e) {
        // Later entries need this one, and cannot be applied.
        SnapshotEntry failed = entries.get((int) (store.snapshot().timestamp() - begin));
        tell(findings, new Finding(failed.name(), e.getMessage()));
      }
      return new Result(begin, store.snapshot().timestamp(), compared, wrong);
    }

    private void tell(Consumer<Finding> findings, Finding finding) {
      wrong += finding.isOk() ? 0 : 1;
      findings.accept(finding);
    }

    /** Applies an entry and returns the difference; null if there is none. */
    private @Nullable String apply(SnapshotEntry entry, EntryCargoes cargoes) throws IOException {
      AppliedDiffersException differs =
          ReplicaCopy.replay(store, entry, cargoes, ReplicaCopy.Differences.TOLD);
      return differs == null ? null : differs.getMessage();
    }

    /** Compares a full snapshot with the database as it is now. */
    private Finding compare(long timestamp, int checksum) {
      compared++;
      String key = format("the full snapshot %d", timestamp);
      try {
        SnapshotEntry other = catalog.full(timestamp);
        key = other.key();
        return new Finding(key, difference(other, checksum));
      } catch (IOException e) {
        return new Finding(key, e.getMessage());
      }
    }

    private @Nullable String difference(SnapshotEntry other, int checksum) throws IOException {
      SnapshotContents rows = other.manifest().full().rows();
      long found = loader.digestFull(rows);
      boolean complete = loader.manifest(rows).tables().contains(FullBounds.BOUNDS);
      long expected = CargoDigest.of(FullContents.toCargo(store.snapshot(), complete));
      if (found != expected) {
        return format(
            "its rows have digest %s, but full snapshot %d and the log since then give %s",
            CargoDigest.toHex(found), full.manifest().timestamp(), CargoDigest.toHex(expected));
      }
      if (other.manifest().parentChecksum() != checksum) {
        return format(
            "its entry has checksum %08x, but the entry in the log has %08x",
            other.manifest().parentChecksum(), checksum);
      }
      return replayedOf(catalog.history(other).ends()).equals(replayedOf(store.known().ends()))
          ? null
          : "its transactions are not those of the log";
    }

    /** The transactions of the log, limited to the time for which both sides know all of them. */
    private Map<UUID, Long> replayedOf(Map<UUID, Long> transactions) {
      long newest = store.snapshot().timestamp();
      long since =
          Math.max(full.manifest().timestamp(), newest - MemoryStore.TRANSACTION_WINDOW / 2);
      Map<UUID, Long> replayed = new HashMap<>(transactions);
      replayed.values().removeIf(end -> Math.abs(end) <= since);
      return replayed;
    }
  }
}
