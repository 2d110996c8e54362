package io.drayage.snapshot;

import static io.drayage.internal.Texts.format;

import io.drayage.objectstore.ObjectDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * The offsets of the frames of a cargo in its object, so that single frames can be read. The index
 * has, for each {@linkplain ObjectDigest#BLOCK_BYTES block}, the number of the first frame of
 * segments that begins there, and its offset in the block. It also has the offset of every frame,
 * or of every second, fourth and so on if there are many. The seal counts as the frame after the
 * last. Immutable.
 */
public final class FrameIndex {
  /** The most frames of which the index has the offset: some 450 KiB of a manifest. */
  static final int MAX_STARTS = 1 << 16;

  /** The most bytes between two pieces that are read as one. */
  private static final int MAX_GAP_BYTES = 128 << 10;

  private final int[] firstFrames;
  private final int[] offsets;

  /** The distance of the frames in {@link #starts}. */
  private final int stride;

  /** Offsets in the object, ascending; none in the index of an earlier version. */
  private final long[] starts;

  /**
   * @param firstFrames for each block, the first frame that begins in it, or else the next frame
   * @param offsets the offset of that frame in the block; 0 if none begins there
   * @param stride distance of the frames in {@code starts}
   * @param starts the offset in the object of frame 0 and of every further {@code stride}th one
   * @throws IllegalArgumentException if the first two have different lengths, or if something is
   *     not in order
   */
  FrameIndex(int[] firstFrames, int[] offsets, int stride, long... starts) {
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
    long objectBytes = (long) firstFrames.length * ObjectDigest.BLOCK_BYTES;
    for (int i = 0; i < starts.length; i++) {
      if (stride < 1 || starts[i] >= objectBytes || starts[i] <= (i == 0 ? 0 : starts[i - 1])) {
        throw new IllegalArgumentException(
            format("frame %,d by %,d cannot begin at %,d", i, stride, starts[i]));
      }
    }
    this.firstFrames = firstFrames.clone();
    this.offsets = offsets.clone();
    this.stride = stride;
    this.starts = starts.clone();
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

  /** The distance of the frames of {@link #start}. */
  int stride() {
    return stride;
  }

  /** The number of frames whose offset is known; 0 in the index of an earlier version. */
  int startCount() {
    return starts.length;
  }

  /** The offset in the object of frame {@code i} times {@link #stride}. */
  long start(int i) {
    return starts[i];
  }

  /** A range of an object with whole frames. */
  record Piece(long offset, int bytes) {}

  /**
   * Returns the ranges with some frames, in order. Close ones are joined.
   *
   * @param objectBytes the length of the object
   * @return empty if the index does not know their offsets, or knows them too roughly
   */
  List<Piece> pieces(BitSet frames, long objectBytes) {
    List<Piece> pieces = new ArrayList<>();
    long begin = 0;
    long end = -1;
    for (int i = 0; i < starts.length; i++) {
      int wanted = frames.nextSetBit(i * stride);
      if (wanted < 0 || wanted >= (i + 1L) * stride) {
        continue;
      }
      long next = i + 1 < starts.length ? starts[i + 1] : objectBytes;
      if (next - starts[i] > ObjectDigest.BLOCK_BYTES) {
        return List.of();
      }
      if (end < 0 || starts[i] - end > MAX_GAP_BYTES || next - begin > ObjectDigest.BLOCK_BYTES) {
        if (end >= 0) {
          pieces.add(new Piece(begin, (int) (end - begin)));
        }
        begin = starts[i];
      }
      end = next;
    }
    if (end >= 0) {
      pieces.add(new Piece(begin, (int) (end - begin)));
    }
    return pieces;
  }

  private boolean beginsIn(int block) {
    return endTouched(block) > firstFrames[block];
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FrameIndex that
        && Arrays.equals(firstFrames, that.firstFrames)
        && Arrays.equals(offsets, that.offsets)
        && stride == that.stride
        && Arrays.equals(starts, that.starts);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * Arrays.hashCode(firstFrames) + Arrays.hashCode(offsets))
        + Arrays.hashCode(starts);
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
    private long[] starts = new long[16];
    private int startCount;
    private int stride = 1;

    /** Adds the next frame, which begins at this offset of the object. */
    void add(long offset) {
      int block = (int) (offset / ObjectDigest.BLOCK_BYTES);
      if (block >= blocks) {
        extend(block + 1);
        offsets[block] = (int) (offset % ObjectDigest.BLOCK_BYTES);
      }
      if (frames % stride == 0) {
        addStart(offset);
      }
      frames++;
    }

    private void addStart(long offset) {
      if (startCount == MAX_STARTS) {
        startCount /= 2;
        stride *= 2;
        for (int i = 0; i < startCount; i++) {
          starts[i] = starts[2 * i];
        }
      }
      if (startCount == starts.length) {
        starts = Arrays.copyOf(starts, 2 * startCount);
      }
      starts[startCount++] = offset;
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
          Arrays.copyOf(firstFrames, blockCount),
          Arrays.copyOf(offsets, blockCount),
          stride,
          Arrays.copyOf(starts, startCount));
    }
  }
}
