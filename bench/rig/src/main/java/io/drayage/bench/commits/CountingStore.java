package io.drayage.bench.commits;

import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.ObjectUpload;
import io.drayage.objectstore.rate.ForwardingStore;
import io.drayage.objectstore.rate.ForwardingUpload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.LongAdder;

/** A store that counts the objects and bytes that are written. Thread-safe. */
final class CountingStore extends ForwardingStore {
  private final LongAdder objects = new LongAdder();
  private final LongAdder bytes = new LongAdder();

  CountingStore(ObjectStore store) {
    super(store);
  }

  long objects() {
    return objects.sum();
  }

  long bytes() {
    return bytes.sum();
  }

  @Override
  public ObjectUpload begin(String key) throws IOException {
    return new ForwardingUpload(super.begin(key)) {
      @Override
      public void write(ByteBuffer part) throws IOException {
        bytes.add(part.remaining());
        super.write(part);
      }

      @Override
      public void complete() throws IOException {
        super.complete();
        objects.increment();
      }
    };
  }

  @Override
  public void put(String key, ByteBuffer content) throws IOException {
    bytes.add(content.remaining());
    super.put(key, content);
    objects.increment();
  }
}
