package io.drayage.snapshot;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.ShipmentException;
import io.drayage.memory.BufferPool;
import io.drayage.memory.Lease;
import io.drayage.objectstore.ObjectCorruptException;
import io.drayage.objectstore.ObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Cuts the verified blocks of a snapshot file into frames, in order. A frame within one block is
 * not copied. A frame that spans two blocks is assembled in a buffer. Not thread-safe.
 */
final class StoredFrames {
  /** Consumes frames. */
  interface Target {
    /**
     * Consumes the next frame, whose lease it releases.
     *
     * @return whether to continue
     */
    boolean onFrame(Lease frame);
  }

  private final ObjectStore store;
  private final StoredBytes data;
  private final BufferPool buffers;

  /** The beginning of a frame that continues in the next block, up to the position. */
  private ByteBuffer begun = ByteBuffer.allocate(0);

  private long frameOffset;
  private boolean sealed;

  /**
   * @param buffers for whole frames
   */
  StoredFrames(ObjectStore store, StoredBytes data, BufferPool buffers) {
    this.store = store;
    this.data = data;
    this.buffers = buffers;
  }

  /**
   * Cuts the next block.
   *
   * @param block is released when its frames are released
   * @return whether to continue
   */
  boolean cut(Lease block, Target target) throws IOException, InterruptedException {
    try (block) {
      ByteBuffer bytes = block.view();
      boolean goOn = true;
      while (goOn && bytes.hasRemaining()) {
        boolean inPieces = begun.position() > 0 || !holdsFrame(bytes);
        goOn = inPieces ? endFrame(bytes, target) : passOn(block, bytes, target);
      }
      return goOn;
    }
  }

  /**
   * Goes on with a later block, in which a frame begins at the buffer's position. The begin of an
   * earlier frame is dropped.
   *
   * @param offset of that frame in the object
   */
  void goOn(long offset) {
    begun.clear().limit(0);
    frameOffset = offset;
  }

  private boolean holdsFrame(ByteBuffer bytes) throws IOException {
    return bytes.remaining() >= FrameHeader.BYTES && bytes.remaining() >= frameBytes(bytes);
  }

  private int frameBytes(ByteBuffer bytes) throws IOException {
    try {
      return FrameHeader.BYTES + FrameHeader.payloadBytes(bytes, bytes.position());
    } catch (ShipmentException e) {
      throw corrupt(e.getMessage());
    }
  }

  private boolean passOn(Lease block, ByteBuffer bytes, Target target) throws IOException {
    int length = frameBytes(bytes);
    ByteBuffer frame = bytes.slice(bytes.position(), length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.position(bytes.position() + length);
    return handOver(new Lease(frame, block.retain()::release), target);
  }

  /** Continues or begins a frame that spans two blocks. */
  private boolean endFrame(ByteBuffer bytes, Target target)
      throws IOException, InterruptedException {
    if (begun.capacity() == 0) {
      begun = ByteBuffer.allocate(FrameHeader.BYTES + FrameHeader.MAX_PAYLOAD_BYTES);
      begun.limit(0);
    }
    if (begun.position() < FrameHeader.BYTES) {
      fill(bytes, FrameHeader.BYTES);
    }
    if (begun.position() < FrameHeader.BYTES) {
      return true;
    }
    int length = frameBytes(begun.duplicate().order(ByteOrder.LITTLE_ENDIAN).position(0));
    fill(bytes, length);
    if (begun.position() < length) {
      return true;
    }
    Lease frame = buffers.lease(length);
    frame.buffer().put(begun.flip()).flip();
    begun.clear().limit(0);
    return handOver(frame, target);
  }

  private void fill(ByteBuffer bytes, int upTo) {
    int count = Math.min(upTo - begun.position(), bytes.remaining());
    begun.limit(begun.position() + count);
    begun.put(bytes.slice(bytes.position(), count));
    bytes.position(bytes.position() + count);
  }

  private boolean handOver(Lease frame, Target target) throws IOException {
    if (sealed) {
      frame.close();
      throw corrupt("there is data after the seal");
    }
    sealed = FrameHeader.type(frame.buffer()) == FrameType.SEAL;
    frameOffset += frame.remainingBytes();
    return target.onFrame(frame);
  }

  /** Must be called after the last block. */
  void requireEnd() throws IOException {
    if (begun.position() > 0 || !sealed) {
      throw corrupt("it ends without a seal");
    }
  }

  private ObjectCorruptException corrupt(String why) {
    return new ObjectCorruptException(
        store.name(), data.key(), format("at offset %,d: %s", frameOffset, why));
  }
}
