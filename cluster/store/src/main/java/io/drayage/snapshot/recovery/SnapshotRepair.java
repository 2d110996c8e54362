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
 * Repairs a store with damaged or missing objects, so that it can be loaded again. Damaged objects
 * are replaced by those of a copy, if there is one. The repair chooses the full snapshot from which
 * the log leads furthest. The log after that end is cut off, and its commits are lost. Nothing is
 * destroyed: removed objects are moved to {@code quarantine/}. Data without a manifest is moved,
 * too, because its manifest may be missing.
 *
 * <p>The repair does exactly the steps of a plan, or nothing: everything is read a second time
 * before the first step, and must lead to the same plan.
 *
 * <p>No node may write to the store meanwhile. An interrupted repair can be repeated: data is moved
 * before the manifest that names it. Not thread-safe.
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

  /** The action for an object. */
  public enum Action {
    /** The object of the copy is taken, and the object in its place is moved to the quarantine. */
    TAKE,
    /** The object is moved to the quarantine. */
    QUARANTINE
  }

  /**
   * A step of a repair.
   *
   * @param why the problem of the object
   */
  public record Step(Action action, String key, String why) {}

  /**
   * The plan of a repair.
   *
   * @param full the full snapshot that a node would load
   * @param reached the newest snapshot after the repair
   * @param steps in the order of their execution; none if there is no damage
   * @param losses the lost snapshots: a line for each
   */
  public record Plan(long full, long reached, List<Step> steps, List<String> losses) {
    public Plan {
      steps = List.copyOf(steps);
      losses = List.copyOf(losses);
    }

    /** The id of this plan: 8 hexadecimal digits. */
    public String id() {
      return format(
          "%08x",
          ObjectDigest.checksum(ByteBuffer.wrap(toString().getBytes(StandardCharsets.UTF_8))));
    }

    /** Whether this plan begins as {@code other} does, with the same reasons and result. */
    private boolean leadsTo(Plan other) {
      return full == other.full
          && reached == other.reached
          && losses.equals(other.losses)
          && steps.size() >= other.steps.size()
          && steps.subList(0, other.steps.size()).equals(other.steps);
    }
  }

  /**
   * A repair, which closes neither store.
   *
   * @param copy of the same database, see {@link SnapshotCopy}; null if there is none
   */
  public SnapshotRepair(ObjectStore store, @Nullable ObjectStore copy) {
    this.store = store;
    this.copy = copy;
    this.catalog = new SnapshotCatalog(store);
    this.walk = new StoreWalk(store, copy);
  }

  /** The prefix of the keys under which {@link #apply} keeps removed objects. */
  public String quarantine() {
    return quarantine;
  }

  /**
   * Reads everything, and changes nothing.
   *
   * @throws SnapshotException if no full snapshot can be read, or the store has no Drayage database
   * @throws io.drayage.database.ForeignDatabaseException if the copy belongs to another database
   * @throws IOException if a store cannot be read, which is no damage
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
      long end = walk.end(each.last()).manifest().timestamp();
      if (end > reached) {
        full = each.last().manifest().timestamp();
        reached = end;
      }
    }
    return new Planning(full, reached).plan();
  }

  /** The computation of a plan, after the full snapshot and the end of the log are chosen. */
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
      long kept = keep(walk.find(Place.full(full)));
      while (kept < reached) {
        kept = keep(walk.find(Place.entry(kept + 1)));
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

    /** Keeps an object. Returns the timestamp of its last manifest. */
    private long keep(@Nullable Usable usable) {
      if (usable == null) {
        throw new IllegalStateException("it was intact when the plan was begun");
      }
      for (SnapshotEntry entry : usable.entries()) {
        entry.manifest().references().forEach(bytes -> named.add(bytes.key()));
      }
      for (String key : usable.taken()) {
        takes.add(new Step(Action.TAKE, key, walk.damage(key)));
      }
      return usable.last().manifest().timestamp();
    }

    private void entry(Place place) throws IOException {
      long timestamp = place.timestamp();
      Usable usable = walk.find(place);
      if (timestamp > reached) {
        lose(place, usable);
        quarantine(place, usable, "the log is broken before it");
      } else if (timestamp <= full) {
        keepOrQuarantine(place, usable, usable != null, "");
      }
    }

    private void lose(Place place, @Nullable Usable usable) throws IOException {
      List<SnapshotEntry> entries = usable == null ? walk.own(place) : usable.entries();
      String damage = walk.damage(place.key());
      if (entries == null) {
        loseReadable(place, damage);
        return;
      }
      for (SnapshotEntry entry : entries) {
        lost.put(
            entry.manifest().timestamp(),
            usable == null
                ? "%s, %s".formatted(describe(entry.manifest()), damage)
                : describe(entry.manifest()));
      }
    }

    /** Names the entries of an object that cannot be read as a whole. */
    private void loseReadable(Place place, String damage) throws IOException {
      lost.put(place.timestamp(), damage);
      List<@Nullable SnapshotManifest> manifests = catalog.readable(place);
      for (int i = 0; manifests.size() > 1 && i < manifests.size(); i++) {
        SnapshotManifest manifest = manifests.get(i);
        lost.put(
            place.timestamp() + i,
            manifest == null
                ? damage
                : "%s, stored together with what is damaged".formatted(describe(manifest)));
      }
    }

    /** Describes the effect of an entry of the log. */
    private static String describe(SnapshotManifest manifest) {
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
      SnapshotEntry entry = place.timestamp() > full ? walk.entry(place.timestamp()) : null;
      boolean belongs =
          usable != null
              && entry != null
              && entry.checksum() == usable.last().manifest().parentChecksum();
      keepOrQuarantine(place, usable, belongs, "the log is broken after it");
    }

    private void keepOrQuarantine(
        Place place, @Nullable Usable usable, boolean belongs, String whyNot) throws IOException {
      if (usable != null && belongs) {
        long unused = keep(usable);
      } else {
        quarantine(place, usable, whyNot);
      }
    }

    /**
     * Adds the steps that move a manifest to the quarantine, after its existing data.
     *
     * @param whyNot the reason for a manifest that is not damaged
     */
    private void quarantine(Place place, @Nullable Usable usable, String whyNot)
        throws IOException {
      String key = place.key();
      String why = usable == null ? walk.damage(key) : whyNot;
      List<SnapshotEntry> entries = walk.own(place);
      for (SnapshotEntry entry : entries == null ? List.<SnapshotEntry>of() : entries) {
        for (StoredBytes data : entry.manifest().references()) {
          if (named.add(data.key()) && store.contains(data.key())) {
            rest.add(new Step(Action.QUARANTINE, data.key(), "it belongs to " + key));
          }
        }
      }
      rest.add(new Step(Action.QUARANTINE, key, why));
    }

    /**
     * Adds the steps that move data of commits that failed, or whose manifest is damaged or
     * missing. Data of open transactions stays, because they may commit.
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
          // Its data belongs to no manifest.
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
   * Does the steps of a plan, or the first ones.
   *
   * @throws SnapshotException if the store has changed, before the first step or before a later
   *     one; the message states which
   */
  public void apply(Plan plan) throws IOException {
    store.requireWritable();
    long newest = newest();
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

  /** The newest entry, also if its object is damaged. */
  private long newest() throws IOException {
    try {
      return catalog.newestTimestamp();
    } catch (ObjectCorruptException e) {
      long first = catalog.logObjects().last();
      return first + Math.max(1, catalog.readable(Place.entry(first)).size()) - 1;
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

  /** Moves an object. Deletes it only after its copy is proven equal. */
  private void move(String key) throws IOException {
    transfer.copyAndCompare(store, key, store, quarantine + key);
    store.delete(key);
  }
}
