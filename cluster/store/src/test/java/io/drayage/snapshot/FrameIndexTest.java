package io.drayage.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.objectstore.ObjectDigest;
import io.drayage.snapshot.FrameIndex.Piece;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class FrameIndexTest {
  private static BitSet frames(int... numbers) {
    BitSet frames = new BitSet();
    for (int number : numbers) {
      frames.set(number);
    }
    return frames;
  }

  private static FrameIndex index(long objectBytes, long... begins) {
    FrameIndex.Builder index = new FrameIndex.Builder();
    for (long begin : begins) {
      index.add(begin);
    }
    long blocks = (objectBytes + ObjectDigest.BLOCK_BYTES - 1) / ObjectDigest.BLOCK_BYTES;
    return index.build((int) blocks);
  }

  @Test
  void piecesHaveWholeFrames() {
    FrameIndex index = index(6_000_100, 1_000, 1_000_000, 2_000_000, 4_000_000, 6_000_000);

    assertThat(index.pieces(frames(), 6_000_100)).isEmpty();
    assertThat(index.pieces(frames(0), 6_000_100)).containsExactly(new Piece(1_000, 999_000));
    assertThat(index.pieces(frames(1, 2), 6_000_100))
        .containsExactly(new Piece(1_000_000, 3_000_000));
    assertThat(index.pieces(frames(1, 3), 6_000_100))
        .containsExactly(new Piece(1_000_000, 1_000_000), new Piece(4_000_000, 2_000_000));
    assertThat(index.pieces(frames(4), 6_000_100)).containsExactly(new Piece(6_000_000, 100));
  }

  @Test
  void aPieceIsAtMostABlock() {
    FrameIndex index = index(20_000_000, 10, 5_000_000, 10_000_000, 19_000_000);

    assertThat(index.pieces(frames(0, 1), 20_000_000))
        .containsExactly(new Piece(10, 4_999_990), new Piece(5_000_000, 5_000_000));
    assertThat(index.pieces(frames(0, 2), 20_000_000)).as("one is too long").isEmpty();
  }

  @Test
  void knowsFewerFramesOfALargeObject() {
    int count = 3 * FrameIndex.MAX_STARTS;
    SplittableRandom random = new SplittableRandom(1);
    long[] begins = new long[count];
    long offset = 0;
    for (int i = 0; i < count; i++) {
      offset += random.nextInt(1, 20_000);
      begins[i] = offset;
    }
    FrameIndex index = index(offset + 100, begins);

    assertThat(index.stride()).isEqualTo(4);
    assertThat(index.startCount()).isEqualTo((count + 3) / 4);
    for (int frame : new int[] {0, 5, 4_001, count - 1}) {
      List<Piece> pieces = index.pieces(frames(frame), offset + 100);
      assertThat(pieces).hasSize(1);
      int first = frame / 4 * 4;
      assertThat(pieces.get(0).offset()).isEqualTo(begins[first]);
      long end = first + 4 < count ? begins[first + 4] : offset + 100;
      assertThat(pieces.get(0).offset() + pieces.get(0).bytes()).isEqualTo(end);
    }
  }

  @Test
  void refusesFramesThatAreNotInOrder() {
    int[] block = {0};
    for (long[] wrong : new long[][] {{0}, {5, 5}, {9, 3}, {ObjectDigest.BLOCK_BYTES}}) {
      assertThatThrownBy(() -> new FrameIndex(block, block, 1, wrong))
          .hasMessageContaining("cannot begin at");
    }
    assertThatThrownBy(() -> new FrameIndex(block, block, 0, 7))
        .hasMessage("frame 0 by 0 cannot begin at 7");
  }
}
