package io.drayage.testing;

import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.memory.Lease;
import io.drayage.transport.ShipmentHandler;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Frames by hand, right or wrong, and what hands them over. */
public final class WireFrames {
  private WireFrames() {}

  /** One with this payload, and a checksum that fits. */
  public static ByteBuffer of(FrameType type, long shipmentId, byte... payload) {
    ByteBuffer frame = ByteBuffer.allocate(FrameHeader.BYTES + payload.length);
    frame.order(ByteOrder.LITTLE_ENDIAN).put(FrameHeader.BYTES, payload);
    FrameHeader.write(frame, type, shipmentId);
    return frame;
  }

  /** The same frame, whose checksum fits what it holds by now. */
  public static ByteBuffer mended(ByteBuffer frame) {
    FrameHeader.write(frame, FrameHeader.type(frame), FrameHeader.shipmentId(frame));
    return frame;
  }

  /** What a seal states. */
  public static Seal seal(ByteBuffer frame) throws ShipmentException {
    return Seal.ofPayload(FrameHeader.verify(frame));
  }

  /** A lease that {@code open} counts until it is released. */
  public static Lease lease(ByteBuffer frame, AtomicInteger open) {
    open.incrementAndGet();
    return new Lease(frame, open::decrementAndGet);
  }

  /** One after the other, as a connection does. */
  public static void deliver(ShipmentHandler handler, List<ByteBuffer> frames, AtomicInteger open) {
    frames.forEach(frame -> handler.onFrame(lease(frame, open)));
  }
}
