package io.drayage.simulation;

import static io.drayage.internal.Texts.format;

import io.drayage.objectstore.DurabilityUnknownException;
import io.drayage.objectstore.KeptUpload;
import io.drayage.objectstore.ObjectCorruptException;
import io.drayage.objectstore.ObjectExistsException;
import io.drayage.objectstore.ObjectMissingException;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.ObjectStoreException;
import io.drayage.objectstore.ObjectUpload;
import io.drayage.objectstore.StoredObject;
import io.drayage.simulation.kernel.SimScheduler;
import io.drayage.snapshot.SnapshotKeys;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A store that is slow, and fails on demand: before or after the work is done, as full, with wrong
 * bytes, or with a loss of power. As in a folder, an object is visible before it is durable. It
 * becomes durable with any later durable object beside it. A loss of power undoes a deletion,
 * unless an object beside it became durable since. A list may lack new objects, and contain deleted
 * ones.
 */
final class SimStore implements ObjectStore {
  private static final int SLOWEST_MS = 20;

  /** Age from which on every list has an object. */
  static final long LISTED_LATE_MS = 300;

  /** An object, as it is visible. */
  private static final class Stored {
    final byte[] content;
    final long sinceNs;

    Stored(byte[] content, long sinceNs) {
      this.content = content;
      this.sinceNs = sinceNs;
    }
  }

  private final SimScheduler scheduler;
  private final SplittableRandom random;
  private final Runnable afterChange;
  private final Map<String, Stored> visible = new TreeMap<>();
  private final Map<String, Stored> durable = new TreeMap<>();
  private final Map<String, Stored> deleted = new TreeMap<>();
  private final Map<String, Long> clockErrorMs = new HashMap<>();

  /** The key that a host could not make durable, by host. */
  private final Map<String, String> unforced = new HashMap<>();

  /** Whether the next host that deletes pauses before it does. */
  private boolean pausesDelete;

  private @Nullable String pausedHost;

  private int failPercent;
  private int wrongPercent;
  private boolean full;
  private int slowestDataMs;
  private int slowestDeletionMs;
  private int slowestListMs;

  /**
   * @param afterChange called when the visible objects have changed; must not block
   */
  SimStore(SimScheduler scheduler, SplittableRandom random, Runnable afterChange) {
    this.scheduler = scheduler;
    this.random = random;
    this.afterChange = afterChange;
  }

  /**
   * @param fail percentage of calls that fail from now on
   * @param wrong percentage of reads that return a wrong byte
   * @param isFull whether nothing can be stored
   */
  void trouble(int fail, int wrong, boolean isFull) {
    failPercent = fail;
    wrongPercent = wrong;
    full = isFull;
  }

  /**
   * Sets how many milliseconds some calls take longer at most, except calls of the simulation
   * itself.
   *
   * @param data until an object with data is complete
   * @param deletion of any object
   * @param list of transactions of several workers
   */
  void slow(int data, int deletion, int list) {
    slowestDataMs = data;
    slowestDeletionMs = deletion;
    slowestListMs = list;
  }

  /** Copies the visible objects to a new store, where all of them are durable. */
  SimStore copy(SplittableRandom itsRandom) {
    SimStore copy = new SimStore(scheduler, itsRandom, () -> {});
    copy.visible.putAll(visible);
    copy.durable.putAll(visible);
    return copy;
  }

  /** Makes the next host that deletes pause before it does. */
  void pauseNextDelete() {
    pausesDelete = true;
    pausedHost = null;
  }

  /** Ends that; returns the host that has paused, or null. */
  @Nullable String pausedHost() {
    pausesDelete = false;
    return pausedHost;
  }

  /** Loses power: the state of objects that were not durable is undone at random. */
  void losePower() {
    List<String> keys = new ArrayList<>(visible.keySet());
    durable.keySet().stream().filter(key -> !visible.containsKey(key)).forEach(keys::add);
    for (String key : keys) {
      if (random.nextBoolean()) {
        Stored before = durable.get(key);
        if (before == null) {
          visible.remove(key);
        } else {
          visible.put(key, before);
        }
      }
    }
    durable.clear();
    durable.putAll(visible);
    afterChange.run();
  }

  /** The keys of the visible objects, in order. */
  List<String> keys() {
    return List.copyOf(visible.keySet());
  }

  /** The number of lines of an object that begin with a word. */
  long linesOf(String key, String word) {
    Stored object = visible.get(key);
    String text = object == null ? "" : new String(object.content, StandardCharsets.UTF_8);
    return text.lines().filter(line -> line.startsWith(word + " ")).count();
  }

  boolean isDurable(String key) {
    return durable.containsKey(key);
  }

  private void callBegins(String key) throws IOException {
    callBegins(key, 0);
  }

  /**
   * @param more how many milliseconds it may take in addition
   */
  private void callBegins(String key, int more) throws IOException {
    int slowestMs = scheduler.host().isEmpty() ? 0 : more;
    try {
      Thread.sleep(random.nextInt(SLOWEST_MS) + (slowestMs > 0 ? random.nextInt(slowestMs) : 0));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ObjectStoreException(name(), key, "interrupted", e);
    }
    callEnds(key);
  }

  private void callEnds(String key) throws IOException {
    if (random.nextInt(200) < failPercent) {
      throw new ObjectStoreException(name(), key, "no answer");
    }
  }

  private byte[] content(String key) throws ObjectMissingException {
    Stored object = visible.get(key);
    if (object == null) {
      throw new ObjectMissingException(name(), key);
    }
    return object.content;
  }

  @Override
  public String name() {
    return "simulated";
  }

  @Override
  public ObjectUpload begin(String key) throws IOException {
    callBegins(key);
    requireRoom(key);
    return new KeptUpload() {
      @Override
      public void write(ByteBuffer bytes) throws IOException {
        callBegins(key);
        requireRoom(key);
        super.write(bytes);
      }

      @Override
      protected void complete(byte[] content) throws IOException {
        callBegins(key, key.startsWith(SnapshotKeys.DATA) ? slowestDataMs : 0);
        requireRoom(key);
        requireAbsent(key);
        visible.put(key, new Stored(content, scheduler.nowNs()));
        deleted.remove(key);
        afterChange.run();
        makeDurable(key);
      }
    };
  }

  private void requireRoom(String key) throws ObjectStoreException {
    if (full) {
      throw new ObjectStoreException(name(), key, "No space left on device");
    }
  }

  private void requireAbsent(String key) throws ObjectExistsException {
    if (visible.containsKey(key)) {
      throw new ObjectExistsException(name(), key);
    }
  }

  /** Makes an object durable, with all objects beside it. */
  private void makeDurable(String key) throws IOException {
    try {
      callBegins(key);
    } catch (IOException e) {
      unforced.put(scheduler.host(), key);
      throw new DurabilityUnknownException(name(), key, String.valueOf(e.getMessage()), e);
    }
    String folder = key.substring(0, key.lastIndexOf('/') + 1);
    durable.keySet().removeIf(each -> each.startsWith(folder));
    visible.forEach(
        (each, object) -> {
          if (each.startsWith(folder)) {
            durable.put(each, object);
          }
        });
    callEnds(key);
  }

  /** Makes an object durable before the host reads anything, as a folder's client does. */
  private void requireForced() throws IOException {
    String key = unforced.get(scheduler.host());
    if (key != null) {
      makeDurable(key);
      unforced.remove(scheduler.host());
    }
  }

  @Override
  public void read(String key, long offset, ByteBuffer target) throws IOException {
    callBegins(key);
    requireForced();
    byte[] content = content(key);
    if (offset + target.remaining() > content.length) {
      throw new ObjectCorruptException(name(), key, format("has only %,d bytes", content.length));
    }
    int begin = target.position();
    target.put(content, (int) offset, target.remaining());
    if (target.position() > begin && random.nextInt(100) < wrongPercent) {
      int wrong = random.nextInt(begin, target.position());
      target.put(wrong, (byte) (target.get(wrong) ^ 1 << random.nextInt(8)));
    }
  }

  @Override
  public long size(String key) throws IOException {
    callBegins(key);
    requireForced();
    return content(key).length;
  }

  @Override
  public List<StoredObject> list(String prefix) throws IOException {
    callBegins(prefix, prefix.startsWith(SnapshotKeys.OPEN) ? slowestListMs : 0);
    requireForced();
    Map<String, Stored> listed = new TreeMap<>(deleted);
    listed.values().removeIf(object -> !isRecent(object) || random.nextBoolean());
    visible.forEach(
        (key, object) -> {
          if (!isRecent(object) || random.nextBoolean()) {
            listed.put(key, object);
          }
        });
    return listed.entrySet().stream()
        .filter(object -> object.getKey().startsWith(prefix))
        .map(object -> stored(object.getKey(), object.getValue()))
        .toList();
  }

  private boolean isRecent(Stored object) {
    return scheduler.nowNs() - object.sinceNs < LISTED_LATE_MS * 1_000_000;
  }

  /** Has the time of a store's clock, which may be a day off. */
  private StoredObject stored(String key, Stored object) {
    long errorMs =
        clockErrorMs.computeIfAbsent(key, unused -> random.nextLong(-86_400_000, 86_400_000));
    return new StoredObject(
        key,
        object.content.length,
        Instant.ofEpochMilli(1_700_000_000_000L + object.sinceNs / 1_000_000 + errorMs));
  }

  @Override
  public void delete(String key) throws IOException {
    if (pausesDelete) {
      pausesDelete = false;
      pausedHost = scheduler.host();
      scheduler.pause(scheduler.host());
    }
    callBegins(key, slowestDeletionMs);
    Stored object = visible.remove(key);
    if (object != null) {
      deleted.put(key, new Stored(object.content, scheduler.nowNs()));
      afterChange.run();
    }
    callEnds(key);
  }

  @Override
  public int deleteUnfinished(Predicate<String> keys, Duration age) {
    return 0;
  }

  @Override
  public void close() {}
}
