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

/** Makes frames by hand, right or wrong, and delivers them. */
public final class WireFrames {
  private WireFrames() {}

  /** A frame with this payload and a right checksum. */
  public static ByteBuffer of(FrameType type, long shipmentId, byte... payload) {
    ByteBuffer frame = ByteBuffer.allocate(FrameHeader.BYTES + payload.length);
    frame.order(ByteOrder.LITTLE_ENDIAN).put(FrameHeader.BYTES, payload);
    FrameHeader.write(frame, type, shipmentId);
    return frame;
  }

  /** Gives a frame the checksum of its current content. */
  public static ByteBuffer mended(ByteBuffer frame) {
    FrameHeader.write(frame, FrameHeader.type(frame), FrameHeader.shipmentId(frame));
    return frame;
  }

  /** The seal in a frame. */
  public static Seal seal(ByteBuffer frame) throws ShipmentException {
    return Seal.ofPayload(FrameHeader.verify(frame));
  }

  /** A lease, counted in {@code open} until it is released. */
  public static Lease lease(ByteBuffer frame, AtomicInteger open) {
    open.incrementAndGet();
    return new Lease(frame, open::decrementAndGet);
  }

  /** Delivers frames one after the other, like a connection. */
  public static void deliver(ShipmentHandler handler, List<ByteBuffer> frames, AtomicInteger open) {
    frames.forEach(frame -> handler.onFrame(lease(frame, open)));
  }
}
