package io.drayage.snapshot;

import static io.drayage.internal.Texts.format;

import io.drayage.objectstore.ObjectDigest;
import java.util.Arrays;

/**
 * The offsets of the frames of a cargo in its object, so that single frames can be read. The index
 * has, for each {@linkplain ObjectDigest#BLOCK_BYTES block}, the number of the first frame of
 * segments that begins there, and its offset in the block. The seal counts as the frame after the
 * last. Immutable.
 */
public final class FrameIndex {
  private final int[] firstFrames;
  private final int[] offsets;

  /**
   * @param firstFrames for each block, the first frame that begins in it, or else the next frame
   * @param offsets the offset of that frame in the block; 0 if none begins there
   * @throws IllegalArgumentException if the two have different lengths, or are not in order
   */
  FrameIndex(int[] firstFrames, int[] offsets) {
    if (firstFrames.length != offsets.length) {
      throw new IllegalArgumentException(
          format("%,d frames have %,d offsets", firstFrames.length, offsets.length));
    }
    for (int block = 0; block < firstFrames.length; block++) {
      if (firstFrames[block] < (block == 0 ? 0 : firstFrames[block - 1])
          || offsets[block] < 0
          || offsets[block] >= ObjectDigest.BLOCK_BYTES) {
        throw new IllegalArgumentException(
            format(
                "block %,d cannot begin with frame %,d at %,d",
                block, firstFrames[block], offsets[block]));
      }
    }
    this.firstFrames = firstFrames.clone();
    this.offsets = offsets.clone();
  }

  /** The number of blocks in the index. */
  int blockCount() {
    return firstFrames.length;
  }

  /** The first frame that begins in a block; if none does, the next frame. */
  int firstFrame(int block) {
    return firstFrames[block];
  }

  /** The offset of {@link #firstFrame} in the block. */
  public int offset(int block) {
    return offsets[block];
  }

  /** The first frame with a byte in the block. */
  public int firstTouched(int block) {
    return offsets[block] > 0 || (block > 0 && !beginsIn(block))
        ? Math.max(0, firstFrames[block] - 1)
        : firstFrames[block];
  }

  /** The frame after the last frame with a byte in the block. */
  public int endTouched(int block) {
    return block + 1 < firstFrames.length ? firstFrames[block + 1] : Integer.MAX_VALUE;
  }

  private boolean beginsIn(int block) {
    return endTouched(block) > firstFrames[block];
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FrameIndex that
        && Arrays.equals(firstFrames, that.firstFrames)
        && Arrays.equals(offsets, that.offsets);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(firstFrames) + Arrays.hashCode(offsets);
  }

  @Override
  public String toString() {
    return format("FrameIndex[%,d blocks]", firstFrames.length);
  }

  /** Records the offsets of frames, in order. Not thread-safe. */
  static final class Builder {
    private int[] firstFrames = new int[16];
    private int[] offsets = new int[16];
    private int blocks;
    private int frames;

    /** Adds the next frame, which begins at this offset of the object. */
    void add(long offset) {
      int block = (int) (offset / ObjectDigest.BLOCK_BYTES);
      if (block >= blocks) {
        extend(block + 1);
        offsets[block] = (int) (offset % ObjectDigest.BLOCK_BYTES);
      }
      frames++;
    }

    private void extend(int count) {
      if (count > firstFrames.length) {
        firstFrames = Arrays.copyOf(firstFrames, 2 * count);
        offsets = Arrays.copyOf(offsets, 2 * count);
      }
      Arrays.fill(firstFrames, blocks, count, frames);
      blocks = count;
    }

    /** Returns the index of an object with this number of blocks. */
    FrameIndex build(int blockCount) {
      if (blockCount > blocks) {
        extend(blockCount);
      }
      return new FrameIndex(
          Arrays.copyOf(firstFrames, blockCount), Arrays.copyOf(offsets, blockCount));
    }
  }
}
