package io.drayage.spark;

import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.rate.ForwardingStore;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Has a primary stand still during a commit, as one does whose store or network is slow: the first
 * one that has stored an entry, and told nobody, when a test wants it.
 */
final class Hold extends ForwardingStore {
  /** The beacons of the test, and of the primary. */
  static final String ARMED = "armed";

  static final String HELD = "held";
  static final String RELEASED = "released";

  private final String folder;

  Hold(ObjectStore store, String folder) {
    super(store);
    this.folder = folder;
  }

  @Override
  public void put(String key, ByteBuffer content) throws IOException {
    super.put(key, content);
    if (key.endsWith(".commit") && Beacon.isLit(folder, ARMED) && !Beacon.isLit(folder, HELD)) {
      Beacon.light(folder, HELD);
      Beacon.await("a primary may go on", () -> Beacon.isLit(folder, RELEASED));
    }
  }
}
