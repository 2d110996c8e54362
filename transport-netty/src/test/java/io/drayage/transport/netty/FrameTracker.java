package io.drayage.transport.netty;

import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Follows a stream of frames that passes by, and reports where each one begins. Not thread-safe.
 */
final class FrameTracker {
  /** Told of every frame as soon as its header is known. */
  interface Listener {
    void onFrame(FrameType type, long offset, long frameBytes);
  }

  private final Listener listener;
  private final ByteBuffer header =
      ByteBuffer.allocate(FrameHeader.BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private long position;
  private long payloadLeft;
  private boolean lost;

  FrameTracker(Listener listener) {
    this.listener = listener;
  }

  /** The next bytes of the stream, from position to limit; they are not consumed. */
  void follow(ByteBuffer bytes) {
    ByteBuffer rest = bytes.duplicate();
    while (rest.hasRemaining() && !lost) {
      int passing = (int) Math.min(rest.remaining(), payloadLeft);
      rest.position(rest.position() + passing);
      payloadLeft -= passing;
      position += passing;
      while (rest.hasRemaining() && header.hasRemaining()) {
        header.put(rest.get());
        position++;
      }
      if (!header.hasRemaining()) {
        beginFrame();
      }
    }
  }

  private void beginFrame() {
    header.flip();
    try {
      payloadLeft = FrameHeader.payloadBytes(header, 0);
      FrameType type = FrameHeader.type(header);
      listener.onFrame(type, position - FrameHeader.BYTES, FrameHeader.BYTES + payloadLeft);
    } catch (ShipmentException notOurs) {
      lost = true;
    }
    header.clear();
  }

  /** Up to here it is known which frame a byte belongs to. */
  long knownUntil() {
    return lost ? Long.MAX_VALUE : position - header.position();
  }
}
