package io.drayage.spark;

import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.rate.ForwardingStore;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Stops a primary during a commit, like a slow store or network. On request of a test, it stops the
 * first primary that has stored an entry, before the primary notifies anybody.
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
