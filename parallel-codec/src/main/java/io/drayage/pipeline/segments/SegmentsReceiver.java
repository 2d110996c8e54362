package io.drayage.pipeline.segments;

import io.drayage.cargo.ChangeCargo;
import io.drayage.compressor.Compressor;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.memory.Lease;
import io.drayage.pipeline.CargoAdmission;
import io.drayage.pipeline.CodecPool;
import io.drayage.segment.CargoAssembler;
import io.drayage.segment.Manifest;
import io.drayage.segment.ManifestCodec;
import io.drayage.segment.SegmentDecoder;
import io.drayage.segment.SegmentHeader;
import io.drayage.serializer.Serializer;
import io.drayage.transport.ShipmentHandler;
import io.drayage.transport.ShipmentReplies;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Receives one cargo as segments, and decodes them on the codec pool, each into its final place.
 *
 * <p>The manifest and the seal are handled where they arrive, on the event loop: that is a check of
 * some numbers. Everything that touches values happens on codec threads. Whoever finishes last,
 * after the seal has come, compares the seal with what arrived; nobody waits.
 */
public final class SegmentsReceiver implements ShipmentHandler {
  private enum State {
    RECEIVING,
    HELD,
    OVER
  }

  private final ShipmentHeader header;
  private final Serializer serializer;
  private final Compressor compressor;
  private final CodecPool pool;
  private final long maxCargoBytes;
  private final CargoAdmission admission;
  private final ShipmentReplies replies;
  private final BiConsumer<ChangeCargo, ShipmentReplies> whenHeld;

  private final AtomicReference<State> state = new AtomicReference<>(State.RECEIVING);

  /** Segments under way in the pool, plus one until the seal has come. */
  private final AtomicInteger unfinished = new AtomicInteger(1);

  private final Seal.Digest digest = new Seal.Digest();

  /** Set by the manifest, cleared on failure so that the arrays go at once. */
  private volatile @Nullable CargoAssembler assembler;

  private volatile @Nullable Seal seal;

  /**
   * @param maxCargoBytes raw bytes of the largest cargo to take
   * @param admission asked when the manifest has come
   * @param whenHeld gets the complete, verified cargo, on a codec thread or an event loop
   */
  public SegmentsReceiver(
      ShipmentHeader header,
      Serializer serializer,
      Compressor compressor,
      CodecPool pool,
      long maxCargoBytes,
      CargoAdmission admission,
      ShipmentReplies replies,
      BiConsumer<ChangeCargo, ShipmentReplies> whenHeld) {
    this.header = header;
    this.serializer = serializer;
    this.compressor = compressor;
    this.pool = pool;
    this.maxCargoBytes = maxCargoBytes;
    this.admission = admission;
    this.replies = replies;
    this.whenHeld = whenHeld;
  }

  @Override
  public void onFrame(Lease frame) {
    if (state.get() != State.RECEIVING) {
      frame.close();
      return;
    }
    FrameType type = FrameHeader.type(frame.buffer());
    if (type == FrameType.SEGMENT) {
      onSegment(frame);
      return;
    }
    try (frame) {
      switch (type) {
        case MANIFEST -> onManifest(FrameHeader.verify(frame.buffer()));
        case SEAL -> onSeal(FrameHeader.verify(frame.buffer()));
        default -> throw foreign("a %s frame in a shipment of segments".formatted(type));
      }
    } catch (ShipmentException e) {
      fail(e);
    } catch (RuntimeException | Error e) {
      // Not the event loop's trouble: it serves other shipments.
      fail(new ShipmentException(Fault.INTERNAL, "a frame cannot be received: " + e, e));
    }
  }

  private void onManifest(ByteBuffer payload) throws ShipmentException {
    if (assembler != null) {
      throw new ShipmentException(Fault.MANIFEST, "the manifest came twice");
    }
    Manifest manifest = ManifestCodec.ofPayload(payload, maxCargoBytes);
    if (!manifest.transactionId().equals(header.transactionId())
        || manifest.baseSnapshot() != header.baseSnapshot()) {
      throw new ShipmentException(
          Fault.MANIFEST,
          "the manifest is of transaction %s on snapshot %d, the shipment of %s on %d"
              .formatted(
                  manifest.transactionId(),
                  manifest.baseSnapshot(),
                  header.transactionId(),
                  header.baseSnapshot()));
    }
    admission.admit(manifest.rawBytes());
    assembler = new CargoAssembler(manifest);
  }

  private void onSegment(Lease frame) {
    unfinished.incrementAndGet();
    if (!pool.submit(codec -> decode(codec, frame))) {
      frame.close();
      fail(
          new ShipmentException(
              Fault.LIMIT, "the queue of the codec pool is full: too many tiny frames"));
    }
  }

  private void onSeal(ByteBuffer payload) throws ShipmentException {
    if (seal != null) {
      throw foreign("a second seal");
    }
    seal = Seal.ofPayload(payload);
    finishOne();
  }

  private void decode(CodecPool.Worker codec, Lease frame) {
    try (frame) {
      CargoAssembler target = assembler;
      if (target != null) {
        SegmentDecoder decoder = codec.decoder(serializer, compressor);
        int checksum = FrameHeader.checksum(frame.buffer());
        SegmentHeader decoded = decoder.decode(FrameHeader.verify(frame.buffer()), target);
        digest.add(decoded.segmentIndex(), checksum);
      } else if (state.get() == State.RECEIVING) {
        throw foreign("a segment before the manifest");
      }
    } catch (ShipmentException e) {
      fail(e);
    } catch (RuntimeException | Error e) {
      fail(new ShipmentException(Fault.DECODE, "a segment cannot be decoded: " + e, e));
    }
    finishOne();
  }

  private void finishOne() {
    if (unfinished.decrementAndGet() == 0) {
      complete();
    }
  }

  /** Called once, after the seal, when no segment is under way. */
  private void complete() {
    CargoAssembler complete = assembler;
    Seal stated = seal;
    try {
      if (complete == null || stated == null) {
        throw foreign("a seal before the manifest");
      }
      Seal arrived = digest.seal();
      if (!complete.isComplete()) {
        throw new ShipmentException(
            Fault.SEGMENT_MISSING, complete.firstMissing() + " did not come before the seal");
      }
      stated.requireSameAs(arrived);
      if (state.compareAndSet(State.RECEIVING, State.HELD)) {
        replies.held(arrived);
        whenHeld.accept(complete.cargo(), replies);
      }
    } catch (ShipmentException e) {
      fail(e);
    }
  }

  private void fail(ShipmentException cause) {
    if (endReceiving()) {
      replies.failed(cause);
    }
  }

  @Override
  public void onAborted(ShipmentException cause) {
    endReceiving();
  }

  private boolean endReceiving() {
    boolean ended = state.compareAndSet(State.RECEIVING, State.OVER);
    if (ended) {
      assembler = null;
    }
    return ended;
  }

  private static ShipmentException foreign(String what) {
    return new ShipmentException(Fault.FOREIGN, what);
  }
}
