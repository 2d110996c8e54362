package io.drayage.objectstore.rate;

import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.ObjectUpload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.LongSupplier;

/**
 * A store whose rates are measured as it is used: of writing by each upload of 32 MiB or more, from
 * its begin until it is complete; a smaller one, of 1 MiB or more, or one for most of whose time
 * the store was not waited for, only shows that the store is as fast as that. Of reading by every
 * 32 MiB that are read in pieces of 1 MiB or more. Uploads that are under way at the same time
 * count together, as do reads. Thread-safe.
 */
public final class MeasuredStore extends ForwardingStore {
  /** Shorter ones, such as manifests, show the time of a request. */
  private static final int MIN_READ_BYTES = 1 << 20;

  private final StoreRate writing;
  private final StoreRate reading;

  /** Where the reads began that are measured next. Racy, benign: some are counted twice. */
  private volatile StoreRate.Mark readSince;

  MeasuredStore(ObjectStore store, LongSupplier clockNs) {
    super(store);
    this.writing = new StoreRate(clockNs);
    this.reading = new StoreRate(clockNs);
    this.readSince = reading.mark();
  }

  /**
   * A store that measures the given one, which it owns; that one itself if it measures already, so
   * that what is known outlives whoever uses it.
   */
  public static MeasuredStore of(ObjectStore store) {
    return store instanceof MeasuredStore measured
        ? measured
        : new MeasuredStore(store, System::nanoTime);
  }

  /** What it takes; 0 if that is unknown, or as fast as a local disk. Does not block. */
  public long writeBytesPerSecond() {
    return writing.bytesPerSecond();
  }

  /** What it gives, likewise. */
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
