package io.drayage.store;

import static io.drayage.internal.Texts.format;

import io.drayage.database.AppCommit;
import io.drayage.database.KnownTransactions;
import io.drayage.frame.AppVersion;
import io.drayage.frame.ShipmentException;
import io.drayage.store.column.Rejection;
import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Maps transactions to the snapshots that they created, or in which they ended without effect, for
 * a window of recent snapshots. Also maps applications to their newest commit of each set of
 * tables. Not thread-safe, except {@link #timestampOf}, {@link #endOf} and {@link #newestOf}.
 *
 * <p>An application may pause for longer than the window, and then ask for its last version again.
 * So its newest commits are known beyond the window, up to a limit.
 *
 * <p>A transaction older than the window is forgotten, whether it committed here or before the
 * base. A transaction's base precedes its own snapshot, so a committed transaction based on {@link
 * #knownSince} or later is known.
 *
 * <p>Snapshots are identified by reference, without keeping them alive: after a reset, another
 * snapshot may have the same timestamp.
 */
final class KnownCommits {
  /**
   * The limits of a log. A {@code CommitHistory} holds a log within them, with a full window.
   *
   * @param window number of snapshots whose transactions are known
   * @param appBytes stored bytes of the commits of applications in the window
   * @param restingApps number of applications, by sets of tables, that are known beyond the window
   * @param restingBytes stored bytes of their newest commits
   */
  record Limits(int window, long appBytes, int restingApps, long restingBytes) {
    static Limits of(int window) {
      return new Limits(window, 216 << 20, 1 << 16, 64 << 20);
    }
  }

  private final Limits limits;
  private long appBytes;
  private long restingBytes;

  /** The ends of transactions, also from before the base; negative for an end without effect. */
  private final Map<UUID, Long> ends = new ConcurrentHashMap<>();

  /** The newest commits by application, and by the tables. */
  private final Map<String, Map<List<String>, AppCommit>> apps = new ConcurrentHashMap<>();

  /** The commits of applications in the window, ascending: after an undo, the one before counts. */
  private final ArrayDeque<AppCommit> appCommits = new ArrayDeque<>();

  /** The newest commits before the window, by ascending timestamp. */
  private final Map<List<String>, AppCommit> restingApps = new LinkedHashMap<>();

  /** The keys of {@link #ends}, by ascending timestamp. */
  private final ArrayDeque<UUID> oldestFirst = new ArrayDeque<>();

  /** The snapshots, oldest first, one for each timestamp. Contains at least the base. */
  private final ArrayDeque<WeakReference<StoreSnapshot>> snapshots = new ArrayDeque<>();

  private long newest;
  private long knownSince;

  /**
   * @param known transactions from before the base: all in the window, and perhaps older ones
   */
  KnownCommits(StoreSnapshot base, KnownTransactions known, Limits limits) {
    this.limits = limits;
    known.ends().entrySet().stream()
        .sorted(Comparator.comparingLong(each -> Math.abs(each.getValue())))
        .forEach(each -> put(each.getKey(), each.getValue()));
    known.apps().stream()
        .sorted(Comparator.comparingLong(AppCommit::timestamp))
        .forEach(this::putApp);
    addUnchanged(base);
  }

  /** Whether there was no commit since the base. */
  boolean isEmpty() {
    return snapshots.size() == 1;
  }

  /** The snapshot since which all transactions are known. Never decreases. */
  long knownSince() {
    return knownSince;
  }

  private long oldest() {
    return newest - snapshots.size() + 1;
  }

  /** Forgets all that is older than the window. */
  private void forget() {
    knownSince = Math.max(knownSince, newest - limits.window);
    while (!oldestFirst.isEmpty() && !isAfter(oldestFirst.getFirst(), knownSince)) {
      ends.remove(oldestFirst.removeFirst());
    }
    while (!appCommits.isEmpty() && appCommits.getFirst().timestamp() <= knownSince) {
      AppCommit commit = appCommits.removeFirst();
      appBytes -= commit.storedBytes();
      rest(commit);
    }
    while (snapshots.size() > limits.window + 1) {
      snapshots.remove();
    }
  }

  private void rest(AppCommit commit) {
    stopResting(commit.version());
    restingApps.put(commit.version().series(), commit);
    restingBytes += commit.storedBytes();
    while (restingApps.size() > limits.restingApps || restingBytes > limits.restingBytes) {
      AppCommit oldest = restingApps.values().iterator().next();
      stopResting(oldest.version());
      if (oldest.equals(newestOf(oldest.version()))) {
        removeApp(oldest.version());
      }
    }
  }

  private void stopResting(AppVersion version) {
    AppCommit rested = restingApps.remove(version.series());
    if (rested != null) {
      restingBytes -= rested.storedBytes();
    }
  }

  private boolean isAfter(UUID transactionId, long timestamp) {
    Long own = ends.get(transactionId);
    return own != null && Math.abs(own) > timestamp;
  }

  private void put(UUID transactionId, long end) {
    ends.put(transactionId, end);
    oldestFirst.add(transactionId);
  }

  private void putApp(AppCommit commit) {
    appCommits.add(commit);
    appBytes += commit.storedBytes();
    setNewest(commit);
  }

  private void setNewest(AppCommit commit) {
    apps.computeIfAbsent(commit.version().app(), unused -> new ConcurrentHashMap<>())
        .put(commit.version().tables(), commit);
  }

  private @Nullable AppCommit newestOf(AppVersion version) {
    Map<List<String>, AppCommit> commits = apps.get(version.app());
    return commits == null ? null : commits.get(version.tables());
  }

  private void removeApp(AppVersion version) {
    Map<List<String>, AppCommit> commits = apps.get(version.app());
    if (commits != null) {
      commits.remove(version.tables());
      if (commits.isEmpty()) {
        apps.remove(version.app());
      }
    }
  }

  /** The timestamp of the transaction; null if it has not committed. Thread-safe, never blocks. */
  @Nullable Long timestampOf(UUID transactionId) {
    Long end = ends.get(transactionId);
    return end == null || end < 0 ? null : end;
  }

  /** The end, see {@link KnownTransactions#ends}; null if not ended. Thread-safe, never blocks. */
  @Nullable Long endOf(UUID transactionId) {
    return ends.get(transactionId);
  }

  /**
   * The timestamp of a committed transaction; null if it has not ended, and still may commit.
   *
   * @throws ShipmentException {@code REJECTED} if it has ended without effect
   */
  @Nullable Long committed(UUID transactionId) throws ShipmentException {
    Long end = endOf(transactionId);
    if (end != null && end < 0) {
      throw Rejection.of("transaction %s has ended without effect".formatted(transactionId));
    }
    return end;
  }

  /**
   * Fails if a transaction that is not known may have committed.
   *
   * @throws ShipmentException {@code REJECTED} if its base is too old to decide that
   */
  void requireKnown(UUID transactionId, long baseSnapshot) throws ShipmentException {
    if (baseSnapshot < knownSince()) {
      throw Rejection.of(
          format(
              "base snapshot %d is too old to tell whether transaction %s has committed before:"
                  + " transactions are known since snapshot %d, the last %,d; look for its changes"
                  + " in the current snapshot, %d, before you repeat it",
              baseSnapshot, transactionId, knownSince(), limits.window, newest));
    }
  }

  /**
   * The newest known commits of an application: one of each set of tables. Thread-safe, never
   * blocks.
   */
  Collection<AppCommit> newestOf(String app) {
    return Collections.unmodifiableCollection(apps.getOrDefault(app, Map.of()).values());
  }

  /**
   * Fails if a commit of an application would make the known transactions too long to be stored.
   *
   * @throws ShipmentException {@code REJECTED} in that case; names the lengths and the limit
   */
  void requireRoom(AppCommit commit) throws ShipmentException {
    int bytes = commit.storedBytes();
    if (appBytes + bytes > limits.appBytes) {
      throw Rejection.of(
          format(
              "version %d of application '%s' takes %,d bytes to be remembered: the commits of"
                  + " applications in the last %,d snapshots take %,d, the limit is %,d",
              commit.version().version(),
              commit.version().app(),
              bytes,
              limits.window,
              appBytes,
              limits.appBytes));
    }
  }

  /** All known transactions. */
  KnownTransactions known() {
    List<AppCommit> commits = new ArrayList<>(restingApps.values());
    commits.addAll(appCommits);
    return new KnownTransactions(ends, commits);
  }

  /**
   * Adds a commit. If it runs out of memory halfway, {@link #remove} repairs the log.
   *
   * @param app the application's commit; null if there is none
   */
  void add(UUID transactionId, StoreSnapshot snapshot, @Nullable AppCommit app) {
    put(transactionId, snapshot.timestamp());
    if (app != null) {
      putApp(app);
    }
    addUnchanged(snapshot);
  }

  /** Adds the end of a transaction without effect. */
  void addWithoutEffect(UUID transactionId, StoreSnapshot snapshot) {
    put(transactionId, -snapshot.timestamp());
    addUnchanged(snapshot);
  }

  /** Adds a snapshot without changes. */
  void addUnchanged(StoreSnapshot snapshot) {
    snapshots.add(new WeakReference<>(snapshot));
    newest = snapshot.timestamp();
    forget();
  }

  /** Undoes the last {@link #add}, also after a failure halfway. Allocates nothing. */
  void remove(UUID transactionId, StoreSnapshot snapshot) {
    ends.remove(transactionId);
    removeApps(snapshot.timestamp() - 1);
    if (transactionId.equals(oldestFirst.peekLast())) {
      oldestFirst.removeLast();
    }
    if (snapshots.getLast().refersTo(snapshot)) {
      snapshots.removeLast();
      newest = snapshot.timestamp() - 1;
    }
  }

  /**
   * Forgets the commits after {@code snapshot}.
   *
   * @throws IllegalArgumentException if {@code snapshot} is neither the base nor the snapshot of a
   *     commit in the window
   */
  void truncateTo(StoreSnapshot snapshot) {
    // Starts with the newest: few commits are ever undone.
    long undone = 0;
    for (Iterator<WeakReference<StoreSnapshot>> it = snapshots.descendingIterator();
        it.hasNext() && !it.next().refersTo(snapshot); ) {
      undone++;
    }
    if (undone == snapshots.size()) {
      throw new IllegalArgumentException(
          format(
              "snapshot %d is not among snapshots %d to %d, which led to the current one",
              snapshot.timestamp(), oldest(), newest));
    }
    while (!oldestFirst.isEmpty() && isAfter(oldestFirst.getLast(), snapshot.timestamp())) {
      ends.remove(oldestFirst.removeLast());
    }
    removeApps(snapshot.timestamp());
    for (; undone > 0; undone--) {
      snapshots.removeLast();
    }
    newest = snapshot.timestamp();
  }

  /** Forgets the commits of applications after a snapshot. The commits before them count again. */
  private void removeApps(long after) {
    while (!appCommits.isEmpty() && appCommits.getLast().timestamp() > after) {
      AppCommit last = appCommits.removeLast();
      appBytes -= last.storedBytes();
      AppVersion undone = last.version();
      AppCommit before = firstOfSeries(appCommits.descendingIterator(), undone);
      if (before == null) {
        before = firstOfSeries(restingApps.values().iterator(), undone);
      }
      if (before == null) {
        removeApp(undone);
      } else {
        setNewest(before);
      }
    }
  }

  /** Finds the first commit of the series; {@link AppVersion#series} would allocate. */
  private static @Nullable AppCommit firstOfSeries(
      Iterator<AppCommit> commits, AppVersion version) {
    while (commits.hasNext()) {
      AppCommit commit = commits.next();
      if (commit.version().app().equals(version.app())
          && commit.version().tables().equals(version.tables())) {
        return commit;
      }
    }
    return null;
  }
}
