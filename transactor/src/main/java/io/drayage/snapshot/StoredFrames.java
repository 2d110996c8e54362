package io.drayage.snapshot;

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
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Cuts the verified blocks of a snapshot file into its frames, in their order. A frame that lies in
 * one block is handed on where it lies; one that lies in two is put together. For one thread.
 */
final class StoredFrames {
  /** Takes frames over. */
  @FunctionalInterface
  interface Target {
    /**
     * Takes the next frame.
     *
     * @return whether it wants more
     */
    boolean onFrame(Lease frame);
  }

  private final ObjectStore store;
  private final StoredBytes data;
  private final BufferPool buffers;

  /** What is known of a frame that goes on in the next block; position: how much of it. */
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
   * @param block is given back when its frames are
   * @return whether the target wants more
   */
  boolean cut(Lease block, Target target) throws IOException, InterruptedException {
    AtomicInteger holders = new AtomicInteger(1);
    Runnable giveBack =
        () -> {
          if (holders.decrementAndGet() == 0) {
            block.close();
          }
        };
    try {
      ByteBuffer bytes = block.buffer();
      boolean goOn = true;
      while (goOn && bytes.hasRemaining()) {
        boolean inPieces = begun.position() > 0 || !holdsFrame(bytes);
        goOn = inPieces ? endFrame(bytes, target) : passOn(bytes, holders, giveBack, target);
      }
      return goOn;
    } finally {
      giveBack.run();
    }
  }

  private boolean holdsFrame(ByteBuffer bytes) throws IOException {
    return bytes.remaining() >= FrameHeader.BYTES && bytes.remaining() >= frameBytes(bytes);
  }

  private int frameBytes(ByteBuffer bytes) throws IOException {
    try {
      return FrameHeader.BYTES
          + FrameHeader.payloadBytes(bytes.order(ByteOrder.LITTLE_ENDIAN), bytes.position());
    } catch (ShipmentException e) {
      throw corrupt(e.getMessage());
    }
  }

  private boolean passOn(ByteBuffer bytes, AtomicInteger holders, Runnable giveBack, Target target)
      throws IOException {
    int length = frameBytes(bytes);
    ByteBuffer frame = bytes.slice(bytes.position(), length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.position(bytes.position() + length);
    holders.incrementAndGet();
    return handOver(new Lease(frame, giveBack), target);
  }

  /** Goes on with a frame of two blocks, or begins with one. */
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
    int length = frameBytes(begun.duplicate().position(0));
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
      throw corrupt("it goes on after its seal");
    }
    sealed = FrameHeader.type(frame.buffer()) == FrameType.SEAL;
    frameOffset += frame.remainingBytes();
    return target.onFrame(frame);
  }

  /** To be called after the last block. */
  void requireEnd() throws IOException {
    if (begun.position() > 0 || !sealed) {
      throw corrupt("it ends without its seal");
    }
  }

  private ObjectCorruptException corrupt(String why) {
    return new ObjectCorruptException(
        store.name(), data.key(), "at offset %,d: %s".formatted(frameOffset, why), null);
  }
}
