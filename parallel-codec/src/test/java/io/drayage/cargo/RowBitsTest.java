package io.drayage.cargo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RowBitsTest {
  private static final int PAGE = 64 * RowBits.WORDS_PER_PAGE;

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 63, 64, 65, PAGE - 1, PAGE, PAGE + 1, 2 * PAGE + 63})
  void agreesWithABitSet(long size) {
    Random random = new Random(size);
    RowBits bits = new RowBits(size);
    BitSet expected = new BitSet();
    for (int i = 0; i < 200 && size > 0; i++) {
      int row = random.nextInt((int) size);
      expected.set(row, i % 3 != 0);
      if (i % 3 != 0) {
        bits.set(row);
      } else {
        bits.clear(row);
      }
    }
    assertThat(bits.cardinality()).isEqualTo(expected.cardinality());
    assertThat(bits.wordCount()).isEqualTo((size + 63) / 64);
    for (int row = 0; row < size; row++) {
      if (bits.get(row) != expected.get(row)) {
        assertThat(bits.get(row)).as("row %d of %d", row, size).isEqualTo(expected.get(row));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 63, 64, 65, PAGE - 1, PAGE, PAGE + 1})
  void allSetHasNoBitBeyondItsSize(long size) {
    RowBits bits = RowBits.allSet(size);

    assertThat(bits.cardinality()).isEqualTo(size);
    RowBits single = new RowBits(size);
    for (long row = 0; row < size; row++) {
      single.set(row);
    }
    assertThat(bits).isEqualTo(single).hasSameHashCodeAs(single);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 63, 64, 65, PAGE - 1, PAGE + 1})
  void setWordDropsWhatLiesBeyondTheSize(long size) {
    RowBits bits = new RowBits(size);
    for (long word = 0; word < bits.wordCount(); word++) {
      bits.setWord(word, -1L);
    }
    assertThat(bits).isEqualTo(RowBits.allSet(size));
    assertThat(bits.word(bits.wordCount() - 1)).isEqualTo(-1L >>> -size);
  }

  @Test
  void setsOfAnotherSizeDiffer() {
    assertThat(new RowBits(1)).isNotEqualTo(new RowBits(2)).isNotEqualTo(RowBits.allSet(1));
  }

  @Test
  void refusesRowsOutside() {
    RowBits bits = new RowBits(65);
    for (long row : new long[] {-1, 65, 127, Long.MAX_VALUE}) {
      assertThatThrownBy(() -> bits.get(row))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessageContaining("Index %d out of bounds for length 65", row);
      assertThatThrownBy(() -> bits.set(row)).isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> bits.clear(row)).isInstanceOf(IndexOutOfBoundsException.class);
    }
    assertThatThrownBy(() -> new RowBits(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new RowBits(ColumnValues.MAX_ROWS + 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("outside 0 to");
  }

  @Test
  void refusesStreamWhoseSizeDoesNotFitItsPages() throws IOException {
    for (long size : new long[] {-1, 0, 64, 129, 1L << 20, 1L << 40, Long.MAX_VALUE}) {
      byte[] bytes = streamOf(new RowBits(77));
      ByteBuffer.wrap(bytes).putLong(indexOf(bytes, 77), size);

      assertThatThrownBy(() -> read(bytes))
          .as("size %d", size)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("%,d rows", size);
    }
  }

  @Test
  void dropsBitsBeyondTheSizeThatAStreamBrings() throws Exception {
    byte[] bytes = streamOf(RowBits.allSet(77));
    ByteBuffer.wrap(bytes).putLong(indexOf(bytes, 77), 65);

    assertThat(read(bytes)).isEqualTo(RowBits.allSet(65));
  }

  private static byte[] streamOf(RowBits bits) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(bits);
    }
    return bytes.toByteArray();
  }

  private static Object read(byte[] bytes) throws IOException, ClassNotFoundException {
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      return in.readObject();
    }
  }

  private static int indexOf(byte[] bytes, long value) {
    for (int i = 0; i + Long.BYTES <= bytes.length; i++) {
      if (ByteBuffer.wrap(bytes).getLong(i) == value) {
        return i;
      }
    }
    throw new AssertionError("no " + value);
  }

  @Test
  void takesMemoryForWhatIsWrittenOnly() {
    RowBits none = new RowBits(1L << 36);
    RowBits all = RowBits.allSet((1L << 36) - 1);

    none.set(1L << 35);
    all.clear(5);

    assertThat(none.get(1L << 35)).isTrue();
    assertThat(none.get((1L << 35) - 1)).isFalse();
    assertThat(none.word(0)).isZero();
    assertThat(all.get(5)).isFalse();
    assertThat(all.get(4)).isTrue();
    assertThat(all.get(1L << 35)).isTrue();
    assertThat(all.word(all.wordCount() - 1)).as("bits beyond the size").isEqualTo(-1L >>> 1);
  }
}
