package io.drayage.simulation;

import static io.drayage.internal.Texts.format;

import io.drayage.snapshot.LoadingMark;
import io.drayage.snapshot.SnapshotCatalog;
import io.drayage.snapshot.StoredBytes;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Marks a full snapshot as being loaded. Reads it only after the mark could not be renewed, and
 * newer ones would have replaced it. It must still be there.
 */
final class SlowReader {
  private static final String HOST = "r.1";

  /** Time until a mark is renewed for the first time. */
  private static final long RENEWAL_NS = TimeUnit.SECONDS.toNanos(60);

  private static final long DISK_IS_FULL_NS = TimeUnit.SECONDS.toNanos(2);

  private final SimulatedCluster world;

  /** The marked full snapshot. */
  private long marked;

  private boolean isOver;

  SlowReader(SimulatedCluster world) {
    this.world = world;
  }

  void start() {
    world.start(HOST, this::run);
  }

  boolean isOver() {
    return isOver;
  }

  private void run() throws IOException, InterruptedException {
    marked = newestFull();
    LoadingMark mark = new LoadingMark(world.store, marked);
    try {
      long renewalNs = System.nanoTime() + RENEWAL_NS;
      await(() -> fullsSince(marked) >= 2);
      // Then they have been there for longer than they need to replace it.
      world.isNight = true;
      awaitTime(renewalNs - DISK_IS_FULL_NS);
      world.store.trouble(0, 0, true);
      awaitTime(renewalNs + DISK_IS_FULL_NS);
      world.store.trouble(0, 0, false);
      world.isNight = false;
      long before = newestFull();
      await(() -> fullsSince(before) >= 2);
      awaitTime(System.nanoTime() + RENEWAL_NS / 10); // Until the replaced snapshots are deleted.
      read();
    } finally {
      mark.close();
    }
    isOver = true;
  }

  private void read() throws IOException {
    try {
      for (StoredBytes each :
          new SnapshotCatalog(world.store).full(marked).manifest().references()) {
        each.verify(world.store);
      }
    } catch (IOException e) {
      throw new AssertionError(format("full snapshot %d is marked, and gone: %s", marked, e), e);
    }
  }

  private long newestFull() {
    return Promises.newest(world.store, "full");
  }

  private long fullsSince(long timestamp) {
    return Promises.timestamps(world.store, "full").filter(each -> each > timestamp).count();
  }

  private static void await(BooleanSupplier there) throws InterruptedException {
    while (!there.getAsBoolean()) {
      Thread.sleep(200);
    }
  }

  private static void awaitTime(long atNs) throws InterruptedException {
    Thread.sleep(Math.max(0, atNs - System.nanoTime()) / 1_000_000);
  }
}
