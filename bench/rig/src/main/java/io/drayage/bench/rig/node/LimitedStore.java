package io.drayage.bench.rig.node;

import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.ObjectUpload;
import io.drayage.objectstore.rate.ForwardingStore;
import io.drayage.objectstore.rate.ForwardingUpload;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A store behind its own link, with a limited rate in each direction: a caller that writes or reads
 * waits until the bytes would have passed. Thread-safe.
 */
final class LimitedStore extends ForwardingStore {
  private final Way in;
  private final Way out;

  /**
   * @param store owned by this store from now on
   */
  LimitedStore(ObjectStore store, long bytesPerSecond) {
    super(store);
    this.in = new Way(bytesPerSecond, System::nanoTime);
    this.out = new Way(bytesPerSecond, System::nanoTime);
  }

  /** One direction. Thread-safe. */
  static final class Way {
    /** Idle time that may be caught up, because sleeps are longer than requested. */
    static final long BURST_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final double NS_PER_S = 1e9;

    private final long bytesPerSecond;
    private final LongSupplier clockNs;

    /** The time when the direction is free again. Guarded by this. */
    private long freeNs;

    Way(long bytesPerSecond, LongSupplier clockNs) {
      this.bytesPerSecond = bytesPerSecond;
      this.clockNs = clockNs;
      this.freeNs = clockNs.getAsLong();
    }

    /** Reserves these bytes. Returns the time until they have passed. */
    synchronized long passNs(long bytes) {
      long nowNs = clockNs.getAsLong();
      freeNs = Math.max(freeNs, nowNs - BURST_NS) + (long) (bytes * NS_PER_S / bytesPerSecond);
      return Math.max(0, freeNs - nowNs);
    }

    void await(long bytes) throws InterruptedIOException {
      try {
        TimeUnit.NANOSECONDS.sleep(passNs(bytes));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while bytes passed the link to the store");
      }
    }
  }

  @Override
  public ObjectUpload begin(String key) throws IOException {
    return new ForwardingUpload(super.begin(key)) {
      @Override
      public void write(ByteBuffer bytes) throws IOException {
        in.await(bytes.remaining());
        super.write(bytes);
      }
    };
  }

  @Override
  public void put(String key, ByteBuffer content) throws IOException {
    in.await(content.remaining());
    super.put(key, content);
  }

  @Override
  public void read(String key, long offset, ByteBuffer target) throws IOException {
    out.await(target.remaining());
    super.read(key, offset, target);
  }
}
