package io.drayage.snapshot;

import io.drayage.frame.FrameHeader;
import io.drayage.memory.BufferPool;
import io.drayage.memory.ByteBudget;
import io.drayage.objectstore.ObjectDigest;

/**
 * What one loading of a snapshot may hold, used again by the next. It is not shared by two: blocks
 * that both have read ahead could keep each other from the block that is next.
 *
 * @param blocks for what is read ahead, and what is being decoded
 * @param frames for frames that lie in two blocks
 */
record LoadBuffers(BufferPool blocks, BufferPool frames) {
  private static final int SPANNING_FRAMES = 2;
  private static final int MAX_FRAME_BYTES = FrameHeader.BYTES + FrameHeader.MAX_PAYLOAD_BYTES;

  /**
   * @param readAhead how many blocks are read at a time
   */
  static LoadBuffers of(int readAhead) {
    // One more than is read ahead: the one that is being decoded.
    long blockBytes = (readAhead + 1L) * ObjectDigest.BLOCK_BYTES;
    return new LoadBuffers(
        new BufferPool(ObjectDigest.BLOCK_BYTES, new ByteBudget(blockBytes)),
        new BufferPool(MAX_FRAME_BYTES, new ByteBudget(SPANNING_FRAMES * (long) MAX_FRAME_BYTES)));
  }
}
