package io.drayage.snapshot;

import io.drayage.frame.FrameHeader;
import io.drayage.memory.BufferPool;
import io.drayage.memory.ByteBudget;
import io.drayage.objectstore.ObjectDigest;

/**
 * The buffers of one load of a snapshot, reused by the next. Not shared by concurrent loads: blocks
 * that they have read ahead could block each other.
 *
 * @param blocks for blocks that are read ahead or being decoded
 * @param frames for frames that span two blocks
 */
record LoadBuffers(BufferPool blocks, BufferPool frames) {
  private static final int SPANNING_FRAMES = 2;
  private static final int MAX_FRAME_BYTES = FrameHeader.BYTES + FrameHeader.MAX_PAYLOAD_BYTES;

  /**
   * @param readAhead number of blocks read at a time
   */
  static LoadBuffers of(int readAhead) {
    // One more, which is being decoded.
    long blockBytes = (readAhead + 1L) * ObjectDigest.BLOCK_BYTES;
    return new LoadBuffers(
        new BufferPool(ObjectDigest.BLOCK_BYTES, new ByteBudget(blockBytes)),
        new BufferPool(MAX_FRAME_BYTES, new ByteBudget(SPANNING_FRAMES * (long) MAX_FRAME_BYTES)));
  }
}
