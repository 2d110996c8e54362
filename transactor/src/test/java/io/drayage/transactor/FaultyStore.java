package io.drayage.transactor;

import io.drayage.objectstore.ObjectExistsException;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.ObjectStoreException;
import io.drayage.objectstore.ObjectUpload;
import io.drayage.objectstore.StoredObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** An object store that fails when it is told to. */
final class FaultyStore implements ObjectStore {
  /** What it may do. */
  enum Trouble {
    /** No data can be begun. */
    BEGIN("no space left on device"),
    /** Data cannot be written on. */
    WRITE("no space left on device"),
    /** Data cannot be completed. */
    COMPLETE("connection reset"),
    /** The entry of the log cannot be stored. */
    ENTRY("service unavailable"),
    /** Data is never completed. */
    STALL(""),
    /** The entry of the log is stored, but only when {@link FaultyStore#arrive} says so. */
    LATE("timed out");

    private final String message;

    Trouble(String message) {
      this.message = message;
    }

    String message() {
      return message;
    }
  }

  private final ObjectStore store;
  private final CountDownLatch mended = new CountDownLatch(1);
  private volatile @Nullable Trouble trouble;
  private final Map<String, byte[]> late = new ConcurrentHashMap<>();
  private volatile boolean flipping;

  FaultyStore(ObjectStore store) {
    this.store = store;
  }

  void make(Trouble next) {
    trouble = next;
  }

  void mend() {
    trouble = null;
    mended.countDown();
  }

  void flipBitsOfReads(boolean flip) {
    flipping = flip;
  }

  private boolean is(Trouble asked) {
    return trouble == asked;
  }

  private void fail(Trouble asked, String key) throws IOException {
    if (is(asked)) {
      throw new ObjectStoreException(name(), key, asked.message(), null);
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
      return new LateUpload(key);
    }
    ObjectUpload upload = store.begin(key);
    return new ObjectUpload() {
      @Override
      public void write(ByteBuffer bytes) throws IOException {
        if (key.startsWith("data/")) {
          fail(Trouble.WRITE, key);
        }
        upload.write(bytes);
      }

      @Override
      public void complete() throws IOException {
        if (key.startsWith("data/")) {
          fail(Trouble.COMPLETE, key);
          if (is(Trouble.STALL)) {
            await();
          }
        }
        upload.complete();
      }

      @Override
      public void close() {
        upload.close();
      }
    };
  }

  /** What was late arrives now; whether it may still be created is decided now. */
  void arrive() throws IOException {
    for (Map.Entry<String, byte[]> each : late.entrySet()) {
      try {
        store.put(each.getKey(), ByteBuffer.wrap(each.getValue()));
      } catch (ObjectExistsException e) {
        // Too late.
      }
    }
    late.clear();
  }

  private final class LateUpload implements ObjectUpload {
    private final String key;
    private final ByteArrayOutputStream content = new ByteArrayOutputStream();

    LateUpload(String key) {
      this.key = key;
    }

    @Override
    public void write(ByteBuffer bytes) {
      byte[] taken = new byte[bytes.remaining()];
      bytes.get(taken);
      content.writeBytes(taken);
    }

    @Override
    public void complete() throws IOException {
      late.put(key, content.toByteArray());
      fail(Trouble.LATE, key);
    }

    @Override
    public void close() {}
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
    store.read(key, offset, target);
    if (flipping && key.startsWith("data/")) {
      target.put(from, (byte) ~target.get(from));
    }
  }

  @Override
  public long size(String key) throws IOException {
    return store.size(key);
  }

  @Override
  public List<StoredObject> list(String prefix) throws IOException {
    return store.list(prefix);
  }

  @Override
  public void delete(String key) throws IOException {
    store.delete(key);
  }

  @Override
  public int deleteUnfinished(Duration olderThan) throws IOException {
    return store.deleteUnfinished(olderThan);
  }

  @Override
  public void close() {
    store.close();
  }
}
