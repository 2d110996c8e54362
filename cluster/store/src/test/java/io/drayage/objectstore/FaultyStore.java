package io.drayage.objectstore;

import io.drayage.objectstore.rate.ForwardingUpload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An object store with faults that tests switch on. */
public final class FaultyStore implements ObjectStore {
  /** A fault. */
  public enum Trouble {
    /** No upload of data can begin. */
    BEGIN("no space left on device"),
    /** No data can be written; see also {@link FaultyStore#failAfter}. */
    WRITE("no space left on device"),
    /** No upload of data can complete. */
    COMPLETE("connection reset"),
    /** No log entry can be stored. */
    ENTRY("service unavailable"),
    /** Uploads of data block when they complete. */
    STALL(""),
    /** Log entries are stored only when {@link FaultyStore#arrive} is called. */
    LATE("timed out");

    private final String message;

    Trouble(String message) {
      this.message = message;
    }

    public String message() {
      return message;
    }
  }

  private final ObjectStore store;
  private volatile CountDownLatch mended = new CountDownLatch(0);
  private volatile long writableBytes;
  private volatile @Nullable Trouble trouble;
  private final Map<String, byte[]> late = new ConcurrentHashMap<>();
  private final AtomicInteger failures = new AtomicInteger();
  private volatile @Nullable String stallFailure;
  private volatile boolean flipping;
  private volatile String omitted = "";
  private volatile List<StoredObject> ghosts = List.of();
  private volatile Runnable beforeReads = () -> {};
  private volatile int flickers;
  private volatile String cut = "";
  private volatile String unread = "";
  private volatile String refusal = "";
  private volatile Task afterDeletes = () -> {};
  private final Map<String, Integer> reads = new ConcurrentHashMap<>();

  public FaultyStore(ObjectStore store) {
    this.store = store;
  }

  public void make(Trouble next) {
    writableBytes = 0;
    mended = new CountDownLatch(1);
    trouble = next;
  }

  /** Every upload of data fails after so many bytes. */
  public void failAfter(long bytes) {
    make(Trouble.WRITE);
    writableBytes = bytes;
  }

  /** Ends the fault; blocked uploads fail. */
  public void fail(String message) {
    stallFailure = message;
    mend();
  }

  /** Ends the fault; blocked uploads continue. */
  public void mend() {
    trouble = null;
    mended.countDown();
  }

  /** How many calls have failed as they were told to. */
  public int failures() {
    return failures.get();
  }

  /** Whether reads of data return a wrong byte. */
  public void flipBitsOfReads(boolean flip) {
    flipping = flip;
  }

  /** The first so many reads of each object fail: of some it is missing, of the rest damaged. */
  public void flicker(int times) {
    flickers = times;
    reads.clear();
  }

  private void flicker(String key, boolean isSize) throws IOException {
    if (key.equals(unread)) {
      throw new ObjectStoreException(name(), key, "service unavailable");
    }
    if (reads.merge(key, 1, Integer::sum) <= flickers || (!isSize && key.equals(cut))) {
      throw isSize
          ? new ObjectMissingException(name(), key)
          : new ObjectCorruptException(name(), key, "it ends early");
    }
  }

  /** Every read of this object ends early. */
  public void cut(String key) {
    cut = key;
  }

  /** No read of this object is answered. */
  public void leaveUnread(String key) {
    unread = key;
  }

  /** Runs after an object was deleted. */
  public void afterDeletes(Task task) {
    afterDeletes = task;
  }

  /** What happens meanwhile. */
  @FunctionalInterface
  public interface Task {
    void run() throws IOException;
  }

  /** Says that it cannot be written, for this reason. */
  public void refuseWriters(String reason) {
    refusal = reason;
  }

  @Override
  public void requireWritable() throws IOException {
    if (!refusal.isEmpty()) {
      throw new ObjectStoreException(name(), "it cannot be written", refusal);
    }
    store.requireWritable();
  }

  /** An object that lists do not have. */
  public void omitFromLists(String key) {
    omitted = key;
  }

  /** Objects that lists have, though they were deleted. */
  public void addToLists(List<StoredObject> deleted) {
    ghosts = List.copyOf(deleted);
  }

  /** Runs before data is read. */
  public void beforeReads(Runnable task) {
    beforeReads = task;
  }

  private boolean is(Trouble asked) {
    return trouble == asked;
  }

  private void fail(Trouble asked, String key) throws IOException {
    if (is(asked)) {
      failures.incrementAndGet();
      throw new ObjectStoreException(name(), key, asked.message());
    }
  }

  @Override
  public String name() {
    return store.name();
  }

  @Override
  public ObjectUpload begin(String key) throws IOException {
    fail(key.startsWith("data/") ? Trouble.BEGIN : Trouble.ENTRY, key);
    if (is(Trouble.LATE) && key.startsWith("snapshots/")) {
      return lateUpload(key);
    }
    ObjectUpload upload = store.begin(key);
    return key.startsWith("data/") ? faultyUpload(key, upload) : upload;
  }

  private ObjectUpload faultyUpload(String key, ObjectUpload upload) {
    return new ForwardingUpload(upload) {
      private long written;

      @Override
      public void write(ByteBuffer bytes) throws IOException {
        written += bytes.remaining();
        if (written > writableBytes) {
          fail(Trouble.WRITE, key);
        }
        super.write(bytes);
      }

      @Override
      public void complete() throws IOException {
        fail(Trouble.COMPLETE, key);
        if (is(Trouble.STALL)) {
          await();
          if (stallFailure != null) {
            throw new ObjectStoreException(name(), key, stallFailure);
          }
        }
        super.complete();
      }
    };
  }

  private ObjectUpload lateUpload(String key) {
    return new KeptUpload() {
      @Override
      protected void complete(byte[] content) throws IOException {
        late.put(key, content);
        fail(Trouble.LATE, key);
      }
    };
  }

  /** Stores the late entries, unless they exist by now. */
  public void arrive() throws IOException {
    for (Map.Entry<String, byte[]> each : late.entrySet()) {
      try {
        store.put(each.getKey(), ByteBuffer.wrap(each.getValue()));
      } catch (ObjectExistsException e) {
        // Too late.
      }
    }
    late.clear();
  }

  private void await() throws IOException {
    try {
      mended.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  @Override
  public void read(String key, long offset, ByteBuffer target) throws IOException {
    int from = target.position();
    flicker(key, false);
    if (key.startsWith("data/")) {
      beforeReads.run();
    }
    store.read(key, offset, target);
    if (flipping && key.startsWith("data/")) {
      target.put(from, (byte) ~target.get(from));
    }
  }

  @Override
  public long size(String key) throws IOException {
    flicker(key, true);
    return store.size(key);
  }

  @Override
  public List<StoredObject> list(String prefix) throws IOException {
    return Stream.concat(store.list(prefix).stream(), ghosts.stream())
        .filter(object -> object.key().startsWith(prefix) && !object.key().equals(omitted))
        .sorted(Comparator.comparing(StoredObject::key))
        .toList();
  }

  @Override
  public void delete(String key) throws IOException {
    store.delete(key);
    afterDeletes.run();
  }

  @Override
  public int deleteUnfinished(Predicate<String> keys, Duration age) throws IOException {
    return store.deleteUnfinished(keys, age);
  }

  @Override
  public void close() {
    store.close();
  }
}
