package io.drayage.objectstore.rate;

import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.ObjectUpload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.LongSupplier;

/**
 * A store whose rates are measured during its use. An upload of 32 MiB or more measures the rate of
 * writing, from its begin until it is complete. An upload of 1 MiB or more only shows that the
 * store is as fast as that upload, if it is shorter, or waited for the store for no more than half
 * of its time. Every 32 MiB that are read in pieces of 1 MiB or more measure the rate of reading.
 * Uploads that run at the same time count together, as do reads. Thread-safe.
 */
public final class MeasuredStore extends ForwardingStore {
  /** The shortest read that is measured. A shorter one, as of a manifest, shows the latency. */
  private static final int MIN_READ_BYTES = 1 << 20;

  private final StoreRate writing;
  private final StoreRate reading;

  /** The begin of the next measurement of reads. Racy, benign: some reads are counted twice. */
  private volatile StoreRate.Mark readSince;

  MeasuredStore(ObjectStore store, LongSupplier clockNs) {
    super(store);
    this.writing = new StoreRate(clockNs);
    this.reading = new StoreRate(clockNs);
    this.readSince = reading.mark();
  }

  /**
   * Returns a store that measures the given one, and owns it. Returns the given one if it measures
   * already, so that its measurements stay.
   */
  public static MeasuredStore of(ObjectStore store) {
    return store instanceof MeasuredStore measured
        ? measured
        : new MeasuredStore(store, System::nanoTime);
  }

  /** The rate of writing; 0 if unknown, or as fast as a local disk. Does not block. */
  public long writeBytesPerSecond() {
    return writing.bytesPerSecond();
  }

  /** The rate of reading; 0 if unknown, or as fast as a local disk. Does not block. */
  public long readBytesPerSecond() {
    return reading.bytesPerSecond();
  }

  @Override
  public ObjectUpload begin(String key) throws IOException {
    return new Upload(super.begin(key));
  }

  @Override
  public void read(String key, long offset, ByteBuffer target) throws IOException {
    int wanted = target.remaining();
    if (wanted < MIN_READ_BYTES) {
      super.read(key, offset, target);
      return;
    }
    long moved = 0;
    reading.begin();
    try {
      super.read(key, offset, target);
      moved = wanted;
    } finally {
      reading.end(moved);
    }
    if (reading.learn(readSince)) {
      readSince = reading.mark();
    }
  }

  private final class Upload extends ForwardingUpload {
    private final StoreRate.Mark since = writing.mark();
    private long bytes;

    Upload(ObjectUpload upload) {
      super(upload);
    }

    @Override
    public void write(ByteBuffer piece) throws IOException {
      long moved = piece.remaining();
      writing.begin();
      try {
        super.write(piece);
      } finally {
        writing.end(moved);
      }
      bytes += moved;
    }

    @Override
    public void complete() throws IOException {
      writing.begin();
      try {
        super.complete();
      } finally {
        writing.end(0);
      }
      writing.learnOfUpload(since, bytes);
    }
  }
}
