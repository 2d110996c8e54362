package io.drayage.spark;

import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.rate.ForwardingStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;

/** A store that stands still after the next entry of the log, as a slow one does. Thread-safe. */
final class HoldingStore extends ForwardingStore {
  private final CountDownLatch held = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);
  private volatile boolean holds;

  HoldingStore(ObjectStore store) {
    super(store);
  }

  /** From now on. */
  void holdNextEntry() {
    holds = true;
  }

  /** Waits until an entry is stored, and nobody is told. */
  void awaitHeld() {
    Beacon.await("an entry of the log", () -> held.getCount() == 0);
  }

  void release() {
    released.countDown();
  }

  @Override
  public void put(String key, ByteBuffer content) throws IOException {
    super.put(key, content);
    if (holds && key.endsWith(".commit")) {
      held.countDown();
      try {
        released.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
