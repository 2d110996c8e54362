package io.drayage.transport;

import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.memory.Lease;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Takes the frames of one shipment, verifies each, counts them and answers the seal with held and
 * committed, the timestamp being the count. May hold the leases back, or fail on the way.
 */
final class RecordingHandler implements ShipmentHandler {
  private final ShipmentReplies replies;
  private final AtomicLong openLeases;
  private final AtomicBoolean inside = new AtomicBoolean();
  private final Seal.Digest digest = new Seal.Digest();
  private final List<Lease> heldBack = new ArrayList<>();
  private final AtomicLong arrivedBytes = new AtomicLong();
  private final CompletableFuture<ShipmentException> aborted = new CompletableFuture<>();
  private final CountDownLatch begun = new CountDownLatch(1);
  private volatile boolean holding;
  private volatile @Nullable ShipmentException failure;
  private volatile @Nullable ShipmentException failureAfterHeld;
  private int frames;

  /**
   * @param openLeases counts the leases that this handler has and has not closed
   */
  RecordingHandler(ShipmentReplies replies, AtomicLong openLeases) {
    this.replies = replies;
    this.openLeases = openLeases;
  }

  /** Keeps all leases from now on. */
  RecordingHandler holding() {
    holding = true;
    return this;
  }

  /** Fails the shipment on the first frame. */
  RecordingHandler failingWith(ShipmentException cause) {
    failure = cause;
    return this;
  }

  /** Fails the shipment when it is held. */
  RecordingHandler failingAfterHeldWith(ShipmentException cause) {
    failureAfterHeld = cause;
    return this;
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
      answer(seal);
    }
  }

  private void answer(Seal seal) {
    replies.held(seal);
    if (failureAfterHeld == null) {
      replies.committed(seal.frameCount());
    } else {
      replies.failed(failureAfterHeld);
    }
  }

  private @Nullable Seal record(ByteBuffer frame) {
    try {
      ByteBuffer payload = FrameHeader.verify(frame);
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

  @Override
  public void onAborted(ShipmentException cause) {
    enter();
    if (!aborted.complete(cause)) {
      throw new AssertionError("aborted twice");
    }
    leave();
  }

  private void enter() {
    if (!inside.compareAndSet(false, true)) {
      throw new AssertionError("two threads in one handler");
    }
  }

  private void leave() {
    inside.set(false);
  }

  /** Gives back what was held back, and holds nothing back any more. */
  synchronized void release() {
    holding = false;
    heldBack.forEach(this::close);
    heldBack.clear();
  }

  private void close(Lease frame) {
    openLeases.decrementAndGet();
    frame.close();
  }

  long arrivedBytes() {
    return arrivedBytes.get();
  }

  void awaitFirstFrame() throws InterruptedException {
    begun.await();
  }

  CompletableFuture<ShipmentException> whenAborted() {
    return aborted;
  }
}
