package io.drayage.snapshot.recovery;

import static io.drayage.internal.Texts.format;

import io.drayage.database.LoggedTransaction;
import io.drayage.objectstore.ObjectCorruptException;
import io.drayage.objectstore.ObjectDigest;
import io.drayage.objectstore.ObjectMissingException;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.StoredObject;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.SnapshotEntry;
import io.drayage.snapshot.SnapshotException;
import io.drayage.snapshot.SnapshotKeys;
import io.drayage.snapshot.SnapshotKeys.FragmentPlace;
import io.drayage.snapshot.SnapshotKeys.Place;
import io.drayage.snapshot.SnapshotManifest;
import io.drayage.snapshot.StoredBytes;
import io.drayage.snapshot.recovery.StoreWalk.Usable;
import io.drayage.snapshot.transaction.Fragment;
import io.drayage.snapshot.transaction.TransactionRecords;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Repairs a store of which objects are damaged or missing, so that it can be loaded again. Damaged
 * objects are taken from a copy if there is one. Of what is left, the full snapshot is chosen from
 * which the log leads furthest; the log after that is cut off, and the commits in it are lost.
 * Nothing is destroyed: what goes is moved to {@code quarantine/}, also data that no snapshot
 * names, since the manifest that named it may be what is missing.
 *
 * <p>What is done is what a plan shows, or nothing: everything is read a second time before the
 * first step, and must lead to the same plan.
 *
 * <p>No node may write to the store meanwhile. If the repair is interrupted, it can be repeated:
 * data is moved before the manifest that names it. Not thread-safe.
 */
public final class SnapshotRepair {
  private static final long MISSING = -1;
  private static final String QUARANTINE = "quarantine/";
  private static final DateTimeFormatter RUN =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final ObjectStore store;
  private final @Nullable ObjectStore copy;
  private final SnapshotCatalog catalog;
  private final StoreWalk walk;
  private final String quarantine = QUARANTINE + RUN.format(Instant.now()) + "/";
  private final ObjectTransfer transfer = new ObjectTransfer();

  /** What is done with an object. */
  public enum Action {
    /** It is taken from the copy, and what is in its place is moved to the quarantine. */
    TAKE,
    /** It is moved to the quarantine. */
    QUARANTINE
  }

  /**
   * A step of a repair.
   *
   * @param why what is wrong with the object
   */
  public record Step(Action action, String key, String why) {}

  /**
   * What is to be done.
   *
   * @param full the full snapshot that a node would load
   * @param reached the newest snapshot that is left
   * @param steps in the order in which they are to be done; none if nothing is wrong
   * @param losses the snapshots that are lost: a line for each
   */
  public record Plan(long full, long reached, List<Step> steps, List<String> losses) {
    public Plan {
      steps = List.copyOf(steps);
      losses = List.copyOf(losses);
    }

    /** Tells this plan from others: 8 hexadecimal digits. */
    public String id() {
      return format(
          "%08x",
          ObjectDigest.checksum(ByteBuffer.wrap(toString().getBytes(StandardCharsets.UTF_8))));
    }

    /** Whether this begins as {@code other} does, for the same reasons and with the same result. */
    private boolean leadsTo(Plan other) {
      return full == other.full
          && reached == other.reached
          && losses.equals(other.losses)
          && steps.size() >= other.steps.size()
          && steps.subList(0, other.steps.size()).equals(other.steps);
    }
  }

  /**
   * Both stores stay the caller's.
   *
   * @param copy of the same database, see {@link SnapshotCopy}; null if there is none
   */
  public SnapshotRepair(ObjectStore store, @Nullable ObjectStore copy) {
    this.store = store;
    this.copy = copy;
    this.catalog = new SnapshotCatalog(store);
    this.walk = new StoreWalk(store, copy);
  }

  /** The prefix of the keys under which {@link #apply} keeps what it takes away. */
  public String quarantine() {
    return quarantine;
  }

  /**
   * Reads everything, changes nothing.
   *
   * @throws SnapshotException if no full snapshot can be read, or the store holds none of ours
   * @throws io.drayage.database.ForeignDatabaseException if the copy is of another database
   * @throws IOException if a store cannot be read: that is no damage
   */
  public Plan plan() throws IOException {
    if (store.list(SnapshotKeys.MANIFESTS).isEmpty() && store.list(SnapshotKeys.DATA).isEmpty()) {
      throw new SnapshotException(
          store.name()
              + " holds no database, so there is nothing to repair: is this the right place?"
              + " snapshot restore fills an empty one");
    }
    walk.requireSameDatabase();
    List<Usable> fulls = walk.fulls();
    if (fulls.isEmpty()) {
      throw new SnapshotException(
          "%s holds no full snapshot that can be read%s: nothing can be repaired"
              .formatted(store.name(), copy == null ? "" : ", and neither does " + copy.name()));
    }
    long full = -1;
    long reached = -1;
    for (Usable each : fulls) {
      long end = walk.end(each.entry()).manifest().timestamp();
      if (end > reached) {
        full = each.entry().manifest().timestamp();
        reached = end;
      }
    }
    return new Planning(full, reached).plan();
  }

  /** The plan, once it is known what is to be left. */
  private final class Planning {
    private final long full;
    private final long reached;
    private final List<Step> takes = new ArrayList<>();
    private final List<Step> rest = new ArrayList<>();
    private final NavigableMap<Long, String> lost = new TreeMap<>();
    private final Set<String> named = new HashSet<>();

    Planning(long full, long reached) {
      this.full = full;
      this.reached = reached;
    }

    Plan plan() throws IOException {
      keep(walk.find(Place.full(full)));
      for (long timestamp = full + 1; timestamp <= reached; timestamp++) {
        keep(walk.find(Place.entry(timestamp)));
      }
      List<StoredObject> manifests = new ArrayList<>(store.list(SnapshotKeys.MANIFESTS));
      // The newest entry first, so that the log has no gap at any time.
      for (int i = manifests.size() - 1; i >= 0; i--) {
        String key = manifests.get(i).key();
        Place place = SnapshotKeys.place(key);
        if (place == null) {
          rest.add(new Step(Action.QUARANTINE, key, "its name is not that of a manifest"));
        } else if (place.logEntry()) {
          entry(place);
        } else if (place.timestamp() != full) {
          otherFull(place);
        }
      }
      if (!lost.isEmpty()) {
        for (long hole = reached + 1; hole < lost.lastKey(); hole++) {
          lost.putIfAbsent(hole, "missing");
        }
      }
      debris();
      takes.addAll(rest);
      List<String> losses = new ArrayList<>();
      lost.forEach((timestamp, what) -> losses.add(format("snapshot %d: %s", timestamp, what)));
      return new Plan(full, reached, takes, losses);
    }

    private void keep(@Nullable Usable usable) {
      if (usable == null) {
        throw new IllegalStateException("it was usable when the plan was begun");
      }
      usable.entry().manifest().references().forEach(bytes -> named.add(bytes.key()));
      for (String key : usable.taken()) {
        takes.add(new Step(Action.TAKE, key, walk.damage(key)));
      }
    }

    private void entry(Place place) throws IOException {
      long timestamp = place.timestamp();
      Usable usable = walk.find(place);
      if (timestamp > reached) {
        lost.put(timestamp, usable == null ? damaged(place) : describe(usable.entry()));
        quarantine(place, usable, "the log is broken before it");
      } else if (timestamp <= full) {
        keepOrQuarantine(place, usable, usable != null, "");
      }
    }

    private String damaged(Place place) throws IOException {
      SnapshotEntry entry = walk.own(place);
      String damage = walk.damage(place.key());
      return entry == null ? damage : "%s, %s".formatted(describe(entry), damage);
    }

    /** What an entry of the log did. */
    private static String describe(SnapshotEntry entry) {
      SnapshotManifest manifest = entry.manifest();
      return manifest
          .kind()
          .fold(
              commit -> describe(commit.transaction()),
              end -> describe(end.transaction()),
              takeover -> format("takeover of epoch %d", manifest.epoch()),
              full -> format("full snapshot %d", manifest.timestamp()));
    }

    private static String describe(LoggedTransaction transaction) {
      return "transaction %s of '%s'".formatted(transaction.id(), transaction.worker());
    }

    private void otherFull(Place place) throws IOException {
      Usable usable = walk.find(place);
      Usable entry = place.timestamp() > full ? walk.find(Place.entry(place.timestamp())) : null;
      boolean belongs =
          usable != null
              && entry != null
              && entry.entry().checksum() == usable.entry().manifest().parentChecksum();
      keepOrQuarantine(place, usable, belongs, "the log is broken after it");
    }

    private void keepOrQuarantine(
        Place place, @Nullable Usable usable, boolean belongs, String whyNot) throws IOException {
      if (usable != null && belongs) {
        keep(usable);
      } else {
        quarantine(place, usable, whyNot);
      }
    }

    /**
     * After its data, as far as that is there.
     *
     * @param whyNot what is wrong if it is not damaged
     */
    private void quarantine(Place place, @Nullable Usable usable, String whyNot)
        throws IOException {
      String key = place.key();
      String why = usable == null ? walk.damage(key) : whyNot;
      SnapshotEntry entry = walk.own(place);
      if (entry != null) {
        for (StoredBytes data : entry.manifest().references()) {
          if (named.add(data.key()) && store.contains(data.key())) {
            rest.add(new Step(Action.QUARANTINE, data.key(), "it belongs to " + key));
          }
        }
      }
      rest.add(new Step(Action.QUARANTINE, key, why));
    }

    /**
     * Moves data of commits that failed, or whose manifest is damaged or missing. That of open
     * transactions stays: they may commit.
     */
    private void debris() throws IOException {
      TransactionRecords records = new TransactionRecords(store);
      for (FragmentPlace place : records.fragments()) {
        try {
          Fragment fragment = records.find(place);
          if (fragment != null) {
            named.add(fragment.cargo().data().key());
          }
        } catch (ObjectCorruptException e) {
          // What it named is nobody's.
        }
      }
      for (StoredObject object : store.list(SnapshotKeys.DATA)) {
        if (SnapshotKeys.isData(object.key()) && !named.contains(object.key())) {
          rest.add(
              new Step(Action.QUARANTINE, object.key(), "no snapshot that can be read names it"));
        }
      }
    }
  }

  /**
   * Does what was planned, or the first steps of it.
   *
   * @throws SnapshotException if the store is not as it was, before the first step or a later one;
   *     the message tells which
   */
  public void apply(Plan plan) throws IOException {
    store.requireWritable();
    long newest = catalog.logTimestamps().stream().reduce(-1L, Math::max);
    if (!new SnapshotRepair(store, copy).plan().leadsTo(plan)) {
      throw changed("nothing was done");
    }
    Map<String, Long> seen = new HashMap<>();
    for (StoredObject object : store.list("")) {
      seen.put(object.key(), object.bytes());
    }
    long next = Math.max(newest, plan.reached()) + 1;
    int done = 0;
    for (Step step : plan.steps()) {
      String key = step.key();
      if (size(key) != seen.getOrDefault(key, MISSING) || store.contains(Place.entry(next).key())) {
        throw changed(
            format(
                "%,d of %,d steps were done, what was moved is in %s; %s",
                done, plan.steps().size(), quarantine, key));
      }
      switch (step.action()) {
        case TAKE -> take(key);
        case QUARANTINE -> move(key);
      }
      done++;
    }
  }

  private SnapshotException changed(String what) {
    return new SnapshotException(
        "%s: %s has changed meanwhile: end every node of the cluster first"
            .formatted(what, store.name()));
  }

  private long size(String key) throws IOException {
    try {
      return store.size(key);
    } catch (ObjectMissingException e) {
      return MISSING;
    }
  }

  private void take(String key) throws IOException {
    if (copy == null) {
      throw new IllegalStateException("there is no copy");
    }
    if (store.contains(key)) {
      move(key);
    }
    transfer.copyAndCompare(copy, key, store, key);
  }

  /** Deletes an object only once its copy is proven equal. */
  private void move(String key) throws IOException {
    transfer.copyAndCompare(store, key, store, quarantine + key);
    store.delete(key);
  }
}
