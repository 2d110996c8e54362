package io.drayage.transport.netty;

import io.drayage.frame.Credit;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.memory.Lease;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Copies of the frames of a small cargo, which follow its request in the same write. They are kept,
 * because the request may come too late for the connection of a former shipment. Thread-safe.
 */
final class SmallCargo {
  /** The connection of a former shipment, until it is used. Guarded by this, like all state. */
  private @Nullable WorkerConnection kept;

  private final List<ByteBuffer> frames = new ArrayList<>();

  private int chargeBytes;
  private @Nullable Lease seal;
  private boolean ended;

  /**
   * @param kept the connection of a former shipment, to be used for this one
   */
  SmallCargo(WorkerConnection kept) {
    this.kept = kept;
  }

  /** Takes the connection, once. It refers to its shipment, and so to the cargo before. */
  synchronized @Nullable WorkerConnection takeKept() {
    WorkerConnection taken = kept;
    kept = null;
    return taken;
  }

  /**
   * Copies a frame, and releases it. The release of the seal tells its owner that all frames have
   * been handed to the wire, so it waits for {@link #sent}.
   *
   * @return whether the frame is the seal, so that the cargo is complete
   */
  synchronized boolean add(Lease frame) {
    if (ended) {
      frame.release();
      return false;
    }
    ByteBuffer copy = ByteBuffer.allocate(frame.remainingBytes()).order(ByteOrder.LITTLE_ENDIAN);
    frames.add(copy.put(frame.view()).flip());
    chargeBytes += Credit.charge(copy.remaining());
    if (FrameHeader.type(copy) == FrameType.SEAL) {
      seal = frame;
      return true;
    }
    frame.release();
    return false;
  }

  /** Returns the charge of all frames. */
  synchronized int chargeBytes() {
    return chargeBytes;
  }

  /** Returns a buffer with the request and all frames. */
  synchronized ByteBuf behind(ByteBuffer request, Channel channel) {
    int bytes = request.remaining() + frames.stream().mapToInt(ByteBuffer::remaining).sum();
    ByteBuf all = channel.alloc().directBuffer(bytes).writeBytes(request.duplicate());
    frames.forEach(frame -> all.writeBytes(frame.duplicate()));
    return all;
  }

  /** Queues all frames on a connection that sent the request alone, and has its answer. */
  synchronized void queueOn(OutboundQueue outbound) {
    for (ByteBuffer frame : frames) {
      outbound.add(
          new Lease(frame, FrameHeader.type(frame) == FrameType.SEAL ? this::sent : () -> {}));
    }
  }

  /** Notes that all frames have been handed to the wire, or will never be. */
  synchronized void sent() {
    Lease last = seal;
    seal = null;
    if (last != null) {
      last.release();
    }
  }

  /** Releases everything but the connection, because the shipment is over. */
  synchronized void end() {
    ended = true;
    frames.clear();
    sent();
  }
}
