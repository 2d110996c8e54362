package io.drayage.snapshot;

import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.ObjectStoreException;
import io.drayage.objectstore.ObjectUpload;
import io.drayage.objectstore.StoredObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A store that does what it is asked until it is told to misbehave. */
public final class FaultyStore implements ObjectStore {
  private final ObjectStore store;
  private volatile long failAfterBytes = Long.MAX_VALUE;
  private volatile CountDownLatch stall = new CountDownLatch(0);
  private volatile boolean garbage;

  public FaultyStore(ObjectStore store) {
    this.store = store;
  }

  /** Every upload fails when it has so many bytes. */
  public void failAfter(long bytes) {
    failAfterBytes = bytes;
  }

  /** Every write waits from now on. */
  public void stall() {
    stall = new CountDownLatch(1);
  }

  /** Every read has a wrong bit from now on. */
  public void returnGarbage() {
    garbage = true;
  }

  /** Does what it is asked again; what waits goes on. */
  public void recover() {
    failAfterBytes = Long.MAX_VALUE;
    garbage = false;
    stall.countDown();
  }

  @Override
  public String name() {
    return "faulty";
  }

  @Override
  public ObjectUpload begin(String key) throws IOException {
    return new FaultyUpload(key, store.begin(key));
  }

  @Override
  public void read(String key, long offset, ByteBuffer target) throws IOException {
    int start = target.position();
    store.read(key, offset, target);
    if (garbage && target.position() > start) {
      target.put(start, (byte) (target.get(start) ^ 1));
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

  private final class FaultyUpload implements ObjectUpload {
    private final String key;
    private final ObjectUpload upload;
    private long written;

    FaultyUpload(String key, ObjectUpload upload) {
      this.key = key;
      this.upload = upload;
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
      try {
        stall.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      written += bytes.remaining();
      if (written > failAfterBytes) {
        throw new ObjectStoreException(name(), key, "No space left on device", null);
      }
      upload.write(bytes);
    }

    @Override
    public void complete() throws IOException {
      upload.complete();
    }

    @Override
    public void close() {
      upload.close();
    }
  }
}
