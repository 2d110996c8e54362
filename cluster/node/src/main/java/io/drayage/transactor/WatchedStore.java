package io.drayage.transactor;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.internal.FatalErrors;
import io.drayage.objectstore.ObjectExistsException;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.ObjectUpload;
import io.drayage.objectstore.StoreFailure;
import io.drayage.objectstore.WriteFailure;
import io.drayage.objectstore.rate.ForwardingStore;
import io.drayage.objectstore.rate.ForwardingUpload;
import io.drayage.snapshot.SnapshotKeys;
import io.drayage.snapshot.UnwritableStore;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The store of a transactor, which counts failed writes. During a term as primary it also knows
 * whether it can be written. After a failed write cargoes wait until {@link #probe} has succeeded.
 * Thread-safe.
 *
 * <p>A probe is small, and may succeed where a cargo does not fit. Then a waiting cargo fails
 * again. So the trouble is over only when no write has failed for a while, or for some seconds in
 * which an object was stored. The trouble is logged when it begins, then at most once a minute, and
 * once when it is over.
 */
final class WatchedStore extends ForwardingStore {
  private static final System.Logger LOG = System.getLogger(WatchedStore.class.getName());

  /** The time between two probes. In S3 each is a PUT and a DELETE. */
  private static final long PROBE_EVERY_NS = TimeUnit.SECONDS.toNanos(10);

  /** The time between two probes after a failed write, for which cargoes wait. */
  private static final long PROBE_AGAIN_NS = TimeUnit.MILLISECONDS.toNanos(500);

  private static final long WARN_EVERY_NS = TimeUnit.MINUTES.toNanos(1);

  /** Time without a failed write after which the trouble is over. */
  private static final long QUIET_NS = TimeUnit.SECONDS.toNanos(20);

  /** Time without a failed write after which a stored object ends the trouble. */
  private static final long QUIET_AND_STORED_NS = TimeUnit.SECONDS.toNanos(3);

  /** Size of a probe: too large for blocks that are allocated already. */
  private static final int PROBE_BYTES = 64 << 10;

  private final LongSupplier clockNs;
  private final NodeEvents events;
  private final Map<WriteFailure, LongAdder> failures;

  /** Null if there is no trouble. Changed with the monitor. */
  private volatile @Nullable Trouble trouble;

  // Guarded by this.

  /** The term that probes the store; null for a standby. */
  private @Nullable Object term;

  private long probedNs;
  private long warnedNs;

  /**
   * A series of failed writes.
   *
   * @param sinceNs time of the first failure
   * @param failedNs time of the last failure
   * @param why the kind of the last failure, whose text is {@code message}
   * @param isProbed whether a probe has succeeded since
   */
  private record Trouble(
      long sinceNs, long failedNs, WriteFailure why, String message, boolean isProbed) {
    Trouble probed() {
      return new Trouble(sinceNs, failedNs, why, message, true);
    }
  }

  /**
   * @param clockNs as {@link System#nanoTime}
   * @param events gets the begin and the end of trouble
   */
  WatchedStore(ObjectStore store, LongSupplier clockNs, NodeEvents events) {
    super(store);
    this.clockNs = clockNs;
    this.events = events;
    Map<WriteFailure, LongAdder> counts = new EnumMap<>(WriteFailure.class);
    for (WriteFailure each : WriteFailure.values()) {
      counts.put(each, new LongAdder());
    }
    this.failures = Collections.unmodifiableMap(counts);
  }

  /** Number of failed writes, for a reason. */
  long failures(WriteFailure why) {
    LongAdder count = failures.get(why);
    return count == null ? 0 : count.sum();
  }

  /** The last failed write; null without trouble or probes. Never blocks. */
  @Nullable StoreFailure failure() {
    Trouble now = trouble;
    return now == null ? null : new StoreFailure(now.why, now.message);
  }

  /**
   * Fails if cargoes must wait until the store can be written. Does not block.
   *
   * @throws ShipmentException {@code BUSY}
   */
  void requireNoWait() throws ShipmentException {
    Trouble now = trouble;
    if (now != null && !now.isProbed && now.why.mayPass()) {
      throw new ShipmentException(Fault.BUSY, UnwritableStore.message(now.message));
    }
  }

  /** Begins to watch for a term, which probes the store; null when the term ends. */
  synchronized void watch(@Nullable Object next) {
    term = next;
    probedNs = clockNs.getAsLong();
    trouble = null;
    notifyAll();
  }

  /** Waits until it is time for a probe; false when the term of the caller has ended. */
  synchronized boolean awaitProbe(Object asking) throws InterruptedException {
    while (asking.equals(term)) {
      Trouble now = trouble;
      long afterNs = now == null || now.isProbed ? PROBE_EVERY_NS : PROBE_AGAIN_NS;
      long leftNs = probedNs + afterNs - clockNs.getAsLong();
      if (leftNs <= 0) {
        return true;
      }
      TimeUnit.NANOSECONDS.timedWait(this, leftNs);
    }
    return false;
  }

  /** Creates a small object, and deletes it. */
  void probe() {
    long beganNs = clockNs.getAsLong();
    try {
      create(ByteBuffer.allocate(PROBE_BYTES));
      super.delete(SnapshotKeys.PROBE);
      succeeded(beganNs);
    } catch (Throwable e) {
      // An exception would end the probes.
      FatalErrors.report(e);
      failed(e);
    }
    synchronized (this) {
      probedNs = clockNs.getAsLong();
    }
  }

  private void create(ByteBuffer content) throws IOException {
    try {
      super.put(SnapshotKeys.PROBE, content);
    } catch (ObjectExistsException e) {
      // A node died before it deleted the object, or a former primary still probes.
      super.delete(SnapshotKeys.PROBE);
      try {
        super.put(SnapshotKeys.PROBE, content);
      } catch (ObjectExistsException again) {
        // Another node has just written it.
      }
    }
  }

  private synchronized void succeeded(long beganNs) {
    Trouble last = trouble;
    if (last != null && last.failedNs <= beganNs) {
      trouble = last.probed();
      endAfter(QUIET_NS);
    }
  }

  private void stored() {
    if (trouble != null) {
      endAfter(QUIET_AND_STORED_NS);
    }
  }

  /** Ends the trouble if a probe has succeeded and no write has failed for a time. */
  private synchronized void endAfter(long quietNs) {
    Trouble last = trouble;
    if (last != null && last.isProbed && clockNs.getAsLong() - last.failedNs >= quietNs) {
      trouble = null;
      events.add(
          LOG,
          Level.INFO,
          "the store can be written again, after {0} s",
          Long.toString(TimeUnit.NANOSECONDS.toSeconds(last.failedNs - last.sinceNs)));
    }
  }

  private void failed(Throwable failure) {
    WriteFailure why = WriteFailure.of(failure);
    LongAdder count = failures.get(why);
    if (count != null) {
      count.increment();
    }
    note(why, String.valueOf(failure.getMessage()));
  }

  private synchronized void note(WriteFailure why, String message) {
    if (term == null) {
      return;
    }
    long nowNs = clockNs.getAsLong();
    Trouble before = trouble;
    trouble = new Trouble(before == null ? nowNs : before.sinceNs, nowNs, why, message, false);
    String text =
        UnwritableStore.message(message) + (why.mayPass() ? "; cargoes wait until it can" : "");
    if (before == null) {
      events.add(text);
    }
    if (before == null || nowNs - warnedNs >= WARN_EVERY_NS) {
      warnedNs = nowNs;
      LOG.log(Level.WARNING, text);
    }
    notifyAll();
  }

  /** Notes a failed write. {@link ObjectExistsException} is no failure, but an answer. */
  private void writeFailed(Exception failure) {
    if (!(failure instanceof ObjectExistsException) && !Thread.currentThread().isInterrupted()) {
      failed(failure);
    }
  }

  @Override
  public void put(String key, ByteBuffer content) throws IOException {
    try {
      super.put(key, content);
    } catch (IOException | RuntimeException e) {
      writeFailed(e);
      throw e;
    }
    stored();
  }

  @Override
  public ObjectUpload begin(String key) throws IOException {
    try {
      return new Upload(super.begin(key));
    } catch (IOException | RuntimeException e) {
      writeFailed(e);
      throw e;
    }
  }

  private final class Upload extends ForwardingUpload {
    /** Whether it is aborted. Failures of running calls are then expected, and not counted. */
    private volatile boolean isAborted;

    Upload(ObjectUpload upload) {
      super(upload);
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
      try {
        super.write(bytes);
      } catch (IOException | RuntimeException e) {
        endedWith(e);
        throw e;
      }
    }

    @Override
    public void complete() throws IOException {
      try {
        super.complete();
      } catch (IOException | RuntimeException e) {
        endedWith(e);
        throw e;
      }
      stored();
    }

    private void endedWith(Exception failure) {
      if (!isAborted) {
        writeFailed(failure);
      }
    }

    @Override
    public void close() {
      isAborted = true;
      super.close();
    }
  }
}
