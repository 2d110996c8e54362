package io.drayage.objectstore;

import io.drayage.objectstore.rate.ForwardingStore;
import io.drayage.objectstore.rate.ForwardingUpload;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An object store with faults that tests switch on. */
public final class FaultyStore extends ForwardingStore {
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

  /** A call that can be refused or stalled. {@link #WRITE} begins or puts an object. */
  public enum Call {
    WRITE,
    SIZE,
    LIST,
    DELETE
  }

  /** The rule for calls with keys of a prefix: they fail with the message, or wait without one. */
  private record Rule(Set<Call> calls, String prefix, @Nullable String message) {}

  private volatile @Nullable Rule rule;
  private final AtomicInteger stalled = new AtomicInteger();
  private volatile CountDownLatch mended = new CountDownLatch(0);
  private volatile long writableBytes;
  private volatile @Nullable Trouble trouble;
  private final Map<String, byte[]> late = new ConcurrentHashMap<>();
  private final AtomicInteger failures = new AtomicInteger();
  private volatile @Nullable String stallFailure;
  private volatile boolean flipping;
  private volatile List<String> omitted = List.of();
  private volatile List<StoredObject> ghosts = List.of();
  private volatile Task beforeReads = () -> {};
  private volatile int flickers;
  private volatile String cut = "";
  private volatile String unread = "";
  private volatile String refusal = "";
  private volatile Task afterDeletes = () -> {};
  private final Map<String, Integer> reads = new ConcurrentHashMap<>();

  /**
   * @param store owned by this object from now on
   */
  public FaultyStore(ObjectStore store) {
    super(store);
  }

  /** Makes these calls wait for keys of a prefix, until {@link #mend}. */
  public void stall(String prefix, Call... calls) {
    mended = new CountDownLatch(1);
    rule = new Rule(Set.of(calls), prefix, null);
  }

  /** The number of calls that wait, or have waited. */
  public int stalled() {
    return stalled.get();
  }

  /** Makes writes fail for keys of a prefix, until {@link #mend}. Counts failures anew. */
  public void refuseWrites(String prefix, String message) {
    failures.set(0);
    rule = new Rule(Set.of(Call.WRITE), prefix, message);
  }

  private void pass(Call call, String key) throws IOException {
    Rule asked = rule;
    if (asked == null || !asked.calls.contains(call) || !key.startsWith(asked.prefix)) {
      return;
    }
    if (asked.message != null) {
      failures.incrementAndGet();
      throw new ObjectStoreException(name(), key, asked.message);
    }
    await();
  }

  public void make(Trouble next) {
    writableBytes = 0;
    mended = new CountDownLatch(1);
    trouble = next;
  }

  /** Makes every upload of data fail after this number of bytes. */
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
    rule = null;
    mended.countDown();
  }

  /** The number of calls that have failed by one of these faults. */
  public int failures() {
    return failures.get();
  }

  /** Sets whether reads of data return a wrong byte. */
  public void flipBitsOfReads(boolean flip) {
    flipping = flip;
  }

  /** Makes the first reads of each object fail: some objects are missing, the others damaged. */
  public void flicker(int times) {
    flickers = times;
    reads.clear();
  }

  /** The keys of a prefix, of objects that were read or whose size was requested. */
  public List<String> read(String prefix) {
    return reads.keySet().stream().filter(key -> key.startsWith(prefix)).toList();
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

  /** Makes every read of this object end early. */
  public void cut(String key) {
    cut = key;
  }

  /** Leaves every read of this object without an answer. */
  public void leaveUnread(String key) {
    unread = key;
  }

  /** Sets a task that runs after an object was deleted. */
  public void afterDeletes(Task task) {
    afterDeletes = task;
  }

  /** A task that runs during a call. */
  @FunctionalInterface
  public interface Task {
    void run() throws IOException, InterruptedException;
  }

  /** Makes the check for writing fail with this reason. */
  public void refuseWriters(String reason) {
    refusal = reason;
  }

  @Override
  public void requireWritable() throws IOException {
    if (!refusal.isEmpty()) {
      throw new ObjectStoreException(name(), "it cannot be written", refusal);
    }
    super.requireWritable();
  }

  /** Omits objects from lists. */
  public void omitFromLists(String... keys) {
    omitted = List.of(keys);
  }

  /** Adds deleted objects to lists. */
  public void addToLists(List<StoredObject> deleted) {
    ghosts = List.copyOf(deleted);
  }

  /** Sets a task that runs before data is read. */
  public void beforeReads(Task task) {
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
  public ObjectUpload begin(String key) throws IOException {
    pass(Call.WRITE, key);
    fail(key.startsWith("data/") ? Trouble.BEGIN : Trouble.ENTRY, key);
    if (is(Trouble.LATE) && key.startsWith("snapshots/")) {
      return lateUpload(key);
    }
    ObjectUpload upload = super.begin(key);
    return key.startsWith("data/") ? faultyUpload(key, upload) : upload;
  }

  /** Puts an object in the same steps as data. */
  @Override
  public void put(String key, ByteBuffer content) throws IOException {
    try (ObjectUpload upload = begin(key)) {
      upload.write(content.duplicate());
      upload.complete();
    }
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
        super.put(each.getKey(), ByteBuffer.wrap(each.getValue()));
      } catch (ObjectExistsException e) {
        // Too late.
      }
    }
    late.clear();
  }

  private void await() throws IOException {
    stalled.incrementAndGet();
    run(mended::await);
  }

  private static void run(Task task) throws IOException {
    try {
      task.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    }
  }

  @Override
  public void read(String key, long offset, ByteBuffer target) throws IOException {
    int from = target.position();
    flicker(key, false);
    if (key.startsWith("data/")) {
      run(beforeReads);
    }
    super.read(key, offset, target);
    if (flipping && key.startsWith("data/")) {
      target.put(from, (byte) ~target.get(from));
    }
  }

  @Override
  public long size(String key) throws IOException {
    pass(Call.SIZE, key);
    flicker(key, true);
    return super.size(key);
  }

  @Override
  public boolean contains(String key) throws IOException {
    try {
      return size(key) >= 0;
    } catch (ObjectMissingException e) {
      return false;
    }
  }

  @Override
  public List<StoredObject> list(String prefix) throws IOException {
    pass(Call.LIST, prefix);
    return Stream.concat(super.list(prefix).stream(), ghosts.stream())
        .filter(object -> object.key().startsWith(prefix) && !omitted.contains(object.key()))
        .sorted(Comparator.comparing(StoredObject::key))
        .toList();
  }

  @Override
  public void delete(String key) throws IOException {
    pass(Call.DELETE, key);
    super.delete(key);
    run(afterDeletes);
  }
}
