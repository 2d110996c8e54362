package io.drayage.transport;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.StoreShare;
import io.drayage.memory.Lease;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Accepts the frames of one shipment, verifies and counts them, and answers the seal with held and
 * committed. The timestamp is the count. A test can make it keep the leases, or fail on the way.
 */
public final class RecordingHandler implements ShipmentHandler {
  private StoreShare store = StoreShare.UNKNOWN;
  private final ShipmentReplies replies;
  private final AtomicLong openLeases;
  private final AtomicBoolean inside = new AtomicBoolean();
  private final Seal.Digest digest = new Seal.Digest();
  private final List<Lease> heldBack = new ArrayList<>();
  private final AtomicLong arrivedBytes = new AtomicLong();
  private final CompletableFuture<ShipmentException> aborted = new CompletableFuture<>();
  private final CountDownLatch begun = new CountDownLatch(1);
  private volatile boolean holding;
  private volatile boolean committing = true;
  private volatile @Nullable ShipmentException failure;
  private volatile @Nullable ShipmentException failureAfterHeld;

  private volatile boolean whole;

  private int frames;

  /** The numbers of the segments that came; null unless the handler is resumable. */
  private volatile @Nullable BitSet received;

  private @Nullable Seal stated;
  private boolean answered;

  /**
   * @param openLeases number of leases that this handler has not closed
   */
  RecordingHandler(ShipmentReplies replies, AtomicLong openLeases) {
    this.replies = replies;
    this.openLeases = openLeases;
  }

  /** Keeps all leases from now on. */
  public RecordingHandler holding() {
    holding = true;
    return this;
  }

  /** Accepts segments in any order, outlives its connections, and refuses repeated segments. */
  public RecordingHandler resumable() {
    received = new BitSet();
    return this;
  }

  /** Fails the shipment on the first frame. */
  public RecordingHandler failingWith(ShipmentException cause) {
    failure = cause;
    return this;
  }

  /** Commits only by {@link #commit}, not when the cargo is held. */
  public RecordingHandler committingLater() {
    committing = false;
    return this;
  }

  /** Answers that the held cargo has taken effect. */
  public void commit() {
    replies.committed(segmentCount());
  }

  /** Fails the shipment when it is held. */
  public RecordingHandler failingAfterHeldWith(ShipmentException cause) {
    failureAfterHeld = cause;
    return this;
  }

  /** Informs the worker about a store. */
  public RecordingHandler storing(StoreShare share) {
    store = share;
    return this;
  }

  @Override
  public StoreShare store() {
    return store;
  }

  @Override
  public boolean isResumable() {
    return received != null;
  }

  @Override
  public synchronized CompletableFuture<BitSet> settled() {
    enter();
    BitSet segments = received;
    leave();
    if (segments == null) {
      throw new AssertionError("not resumable");
    }
    return CompletableFuture.completedFuture((BitSet) segments.clone());
  }

  /** Number of segments that have come. */
  public synchronized int segmentCount() {
    BitSet segments = received;
    return segments == null ? frames : segments.cardinality();
  }

  @Override
  public void onFrame(Lease frame) {
    enter();
    openLeases.incrementAndGet();
    arrivedBytes.addAndGet(frame.remainingBytes());
    Seal seal = record(frame.buffer());
    synchronized (this) {
      if (holding) {
        heldBack.add(frame);
      } else {
        close(frame);
      }
    }
    begun.countDown();
    leave();
    if (failure != null) {
      replies.failed(failure);
    } else if (seal != null) {
      whole = true;
      answer(seal);
    }
  }

  private void answer(Seal seal) {
    replies.held(seal);
    if (!committing) {
      return;
    }
    if (failureAfterHeld == null) {
      replies.committed(seal.frameCount());
    } else {
      replies.failed(failureAfterHeld);
    }
  }

  private @Nullable Seal record(ByteBuffer frame) {
    try {
      ByteBuffer payload = FrameHeader.verify(frame);
      if (received != null) {
        return recordAnyOrder(frame, payload);
      }
      if (FrameHeader.type(frame) != FrameType.SEAL) {
        digest.add(frames++, FrameHeader.checksum(frame));
        return null;
      }
      Seal seal = Seal.ofPayload(payload);
      seal.requireSameAs(digest.seal());
      return seal;
    } catch (ShipmentException e) {
      replies.failed(e);
      return null;
    }
  }

  /** Returns the seal once, as soon as all frames are there. */
  private synchronized @Nullable Seal recordAnyOrder(ByteBuffer frame, ByteBuffer payload)
      throws ShipmentException {
    BitSet segments = received;
    if (FrameHeader.type(frame) == FrameType.SEAL) {
      stated = Seal.ofPayload(payload);
    } else if (segments != null) {
      int number = payload.getInt(0);
      if (segments.get(number)) {
        throw new ShipmentException(Fault.SEGMENT_REPEATED, format("segment %d", number));
      }
      segments.set(number);
      digest.add(number, FrameHeader.checksum(frame));
    }
    Seal seal = stated;
    if (seal == null || answered || digest.seal().frameCount() < seal.frameCount()) {
      return null;
    }
    seal.requireSameAs(digest.seal());
    answered = true;
    return seal;
  }

  @Override
  public boolean onAborted(ShipmentException cause) {
    enter();
    if (!aborted.complete(cause)) {
      throw new AssertionError("aborted twice");
    }
    leave();
    return !whole;
  }

  private void enter() {
    if (!inside.compareAndSet(false, true)) {
      throw new AssertionError("two threads in one handler");
    }
  }

  private void leave() {
    inside.set(false);
  }

  /** Releases the kept leases, and keeps no more. */
  public synchronized void release() {
    holding = false;
    heldBack.forEach(this::close);
    heldBack.clear();
  }

  private void close(Lease frame) {
    openLeases.decrementAndGet();
    frame.close();
  }

  public long arrivedBytes() {
    return arrivedBytes.get();
  }

  public void awaitFirstFrame() throws InterruptedException {
    begun.await();
  }

  public CompletableFuture<ShipmentException> whenAborted() {
    return aborted;
  }
}
