package io.drayage.snapshot;

import static io.drayage.internal.Texts.format;

import io.drayage.objectstore.ObjectDigest;
import java.util.Arrays;

/**
 * Where the frames of a cargo begin in its object, so that some of them can be read without the
 * others: for each {@linkplain ObjectDigest#BLOCK_BYTES block}, the number of the first frame of
 * segments that begins there, and its offset in the block. The seal counts as the frame after the
 * last. Immutable.
 */
public final class FrameIndex {
  private final int[] firstFrames;
  private final int[] offsets;

  /**
   * @param firstFrames for each block, the first frame that begins in it; if none does, the next
   * @param offsets where that one begins in the block; 0 if none does
   * @throws IllegalArgumentException if they are not as many, or not in order
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

  /** The blocks that it tells of. */
  int blockCount() {
    return firstFrames.length;
  }

  /** The first frame that begins in a block; if none does, the next one. */
  int firstFrame(int block) {
    return firstFrames[block];
  }

  /** Where that frame begins in the block. */
  public int offset(int block) {
    return offsets[block];
  }

  /** The first frame of which a block has a byte. */
  public int firstTouched(int block) {
    return offsets[block] > 0 || (block > 0 && !beginsIn(block))
        ? Math.max(0, firstFrames[block] - 1)
        : firstFrames[block];
  }

  /** The frame after the last of which a block has a byte. */
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

  /** Notes where frames begin, in order. Not thread-safe. */
  static final class Builder {
    private int[] firstFrames = new int[16];
    private int[] offsets = new int[16];
    private int blocks;
    private int frames;

    /** The next frame begins at this offset of the object. */
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

    /** The index of an object of so many blocks. */
    FrameIndex build(int blockCount) {
      if (blockCount > blocks) {
        extend(blockCount);
      }
      return new FrameIndex(
          Arrays.copyOf(firstFrames, blockCount), Arrays.copyOf(offsets, blockCount));
    }
  }
}
