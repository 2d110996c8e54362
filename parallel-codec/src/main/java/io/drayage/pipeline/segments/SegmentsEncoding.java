package io.drayage.pipeline.segments;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.PartContent;
import io.drayage.compressor.Compressor;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.memory.BufferPool;
import io.drayage.memory.Lease;
import io.drayage.pipeline.CodecPool;
import io.drayage.segment.CargoAssembler;
import io.drayage.segment.FramePlan;
import io.drayage.segment.ManifestCodec;
import io.drayage.segment.SegmentEncoder;
import io.drayage.serializer.Serializer;
import io.drayage.transport.Shipment;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The encoding of one cargo. Every thread of the pool takes the next frame, largest first, until
 * none is left or one has failed; the threads share nothing but the counters below.
 */
final class SegmentsEncoding {
  private final Shipment shipment;
  private final FramePlan plan;
  private final List<PartContent> contents;
  private final Serializer serializer;
  private final Compressor compressor;
  private final int[] largestFirst;
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicLong wireBytes = new AtomicLong();
  private final Seal.Digest digest = new Seal.Digest();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  SegmentsEncoding(
      Shipment shipment,
      FramePlan plan,
      ChangeCargo cargo,
      Serializer serializer,
      Compressor compressor) {
    this.shipment = shipment;
    this.plan = plan;
    this.contents = CargoAssembler.contentsOf(cargo);
    this.serializer = serializer;
    this.compressor = compressor;
    this.largestFirst = plan.largestFirst();
  }

  /** Sends the manifest and all segments; returns when the last one has been offered. */
  void encodeAll(CodecPool pool, BufferPool buffers)
      throws ShipmentException, InterruptedException {
    send(ManifestCodec.toFrame(plan.manifest(), shipment.id()), () -> {});
    CountDownLatch running = new CountDownLatch(pool.threadCount());
    for (int t = 0; t < pool.threadCount(); t++) {
      if (!pool.submit(codec -> encodeUntilDone(codec, buffers, running))) {
        fail(new ShipmentException(Fault.CANCELLED, "the codec pool is closed or its queue full"));
        running.countDown();
      }
    }
    awaitThreads(running);
    Throwable cause = failure.get();
    if (cause != null) {
      throw ShipmentException.of(cause);
    }
  }

  /** The threads use the cargo and the shipment: they must have ended before this returns. */
  private void awaitThreads(CountDownLatch running) throws InterruptedException {
    try {
      running.await();
    } catch (InterruptedException e) {
      fail(new ShipmentException(Fault.CANCELLED, "the sending thread was interrupted"));
      awaitUninterruptibly(running);
      throw e;
    }
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    boolean interrupted = false;
    while (latch.getCount() > 0) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void encodeUntilDone(CodecPool.Worker codec, BufferPool buffers, CountDownLatch running) {
    try {
      SegmentEncoder encoder = codec.encoder(serializer, compressor);
      int mine = next.getAndIncrement();
      while (mine < largestFirst.length && failure.get() == null) {
        encodeAndSend(largestFirst[mine], encoder, buffers);
        mine = next.getAndIncrement();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      fail(e);
    } catch (ShipmentException | RuntimeException | Error e) {
      fail(e);
    } finally {
      running.countDown();
    }
  }

  private void encodeAndSend(int planned, SegmentEncoder encoder, BufferPool buffers)
      throws ShipmentException, InterruptedException {
    Lease frame = encoder.encode(plan.segments(planned), contents, buffers, shipment.id());
    digest.add(plan.firstSegment(planned), FrameHeader.checksum(frame.buffer()));
    wireBytes.addAndGet(frame.remainingBytes());
    shipment.send(frame);
  }

  private void fail(Throwable cause) {
    if (failure.compareAndSet(null, cause)) {
      // Also wakes the threads that wait for a buffer: the shipment gives its frames back.
      shipment.cancel(ShipmentException.of(cause));
    }
  }

  /**
   * Sends the seal.
   *
   * @param whenSent run when it, and so every frame, has been handed to the wire
   */
  void seal(Runnable whenSent) throws ShipmentException, InterruptedException {
    send(digest.seal().toFrame(FrameType.SEAL, shipment.id()), whenSent);
  }

  private void send(ByteBuffer frame, Runnable whenSent)
      throws ShipmentException, InterruptedException {
    wireBytes.addAndGet(frame.remaining());
    shipment.send(new Lease(frame, whenSent));
  }

  /** What the transactor must hold in the end. */
  Seal arrivingSeal() {
    return digest.seal();
  }

  long wireBytes() {
    return wireBytes.get();
  }
}
