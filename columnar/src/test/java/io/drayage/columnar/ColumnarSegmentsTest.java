package io.drayage.columnar;

import static io.drayage.internal.Texts.format;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.PartContent;
import io.drayage.cargo.RandomCargo;
import io.drayage.cargo.RowBits;
import io.drayage.codec.SegmentChecks;
import io.drayage.codec.Serializer;
import io.drayage.codec.Serializers;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.CargoAssembler;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentPlanner;
import io.drayage.segment.SegmentSerializer;
import io.drayage.transport.TransportOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(180)
final class ColumnarSegmentsTest {
  private static final int MAX_OVERHEAD = ColumnarSegmentSerializer.MAX_OVERHEAD_BYTES;

  @ParameterizedTest
  @EnumSource
  void noSegmentIsMuchLongerThanItsRawForm(ColumnarMode mode) {
    assertShort(mode, 1, 2, 7, 63, 64, 65, 1_025);
  }

  private static void assertShort(ColumnarMode mode, int... rowCounts) {
    SegmentSerializer raw = Serializers.ofName("raw").newSegmentSerializer();
    SegmentSerializer columnar = ColumnarSerializer.ofMode(mode).newSegmentSerializer();
    for (ColumnType type : ColumnType.values()) {
      for (int rows : rowCounts) {
        for (boolean nullable : List.of(false, true)) {
          ColumnValues values = RandomCargo.column(rows, type, rows, nullable);
          assertShort(values, rows, raw, columnar, format("%s, %,d rows", type, rows));
        }
        assertShort(RandomCargo.bits(rows, rows), rows, raw, columnar, format("%,d bits", rows));
      }
    }
  }

  private static void assertShort(
      PartContent content,
      int rows,
      SegmentSerializer raw,
      SegmentSerializer columnar,
      String description) {
    Segment segment = SegmentChecks.segment(content, 0, rows);
    int rawBytes = SegmentChecks.bytes(raw, segment, content).remaining();
    int bytes = SegmentChecks.bytes(columnar, segment, content).remaining();
    assertThat(bytes).as(description).isLessThanOrEqualTo(rawBytes + MAX_OVERHEAD);
    assertThat(columnar.maxSerializedBytes(segment, content))
        .as(description)
        .isLessThanOrEqualTo(raw.maxSerializedBytes(segment, content) + MAX_OVERHEAD);
  }

  /** Threads encode segments in any order, and each has a serializer and a memory of its own. */
  @Test
  void bytesDependOnNoOtherSegment() throws Exception {
    ChangeCargo cargo = driftingCargo();
    List<PartContent> contents = CargoAssembler.contentsOf(cargo);
    List<Segment> segments = new SegmentPlanner(64 << 10).plan(cargo).segments();
    List<ByteBuffer> inOrder = new ArrayList<>(Collections.nCopies(segments.size(), null));
    SegmentSerializer one = new ColumnarSerializer().newSegmentSerializer();
    for (Segment segment : segments) {
      inOrder.set(segment.index(), encode(one, segment, contents));
    }

    List<Segment> shuffled = new ArrayList<>(segments);
    Collections.shuffle(shuffled, new Random(3));
    SegmentSerializer other = new ColumnarSerializer().newSegmentSerializer();
    for (Segment segment : shuffled) {
      assertThat(encode(other, segment, contents))
          .as("%s, shuffled with seed 3", segment)
          .isEqualTo(inOrder.get(segment.index()));
    }
  }

  private static ByteBuffer encode(
      SegmentSerializer serializer, Segment segment, List<PartContent> contents) {
    return SegmentChecks.bytes(serializer, segment, contents.get(segment.part().index()));
  }

  /** Columns whose last rows differ in kind from their first. */
  private static ChangeCargo driftingCargo() {
    SplittableRandom random = new SplittableRandom(4);
    int rows = 600_000;
    double[] prices = new double[rows];
    long[] ids = new long[rows];
    int[] runs = new int[rows];
    for (int i = 0; i < rows; i++) {
      prices[i] = i < rows / 3 ? random.nextInt(1_000) / 100.0 : random.nextDouble();
      ids[i] = i < rows / 2 ? (1L << 33) + 3L * i : random.nextLong();
      runs[i] = i == 0 || random.nextInt(1 + i / 10_000) == 0 ? random.nextInt(500) : runs[i - 1];
    }
    return ChangeCargo.builder(new UUID(1, 1), 1)
        .table(
            "drifting",
            table ->
                table
                    .insert("prices", ColumnValues.of(new double[][] {prices}))
                    .insert("ids", ColumnValues.of(new long[][] {ids}))
                    .insert("runs", ColumnValues.of(new int[][] {runs})))
        .build();
  }

  /** The first rows of a column must not make the stream of the others long. */
  @Test
  void aColumnThatChangesIsLookedAtAgain() throws Exception {
    int rows = 16 * 16_384;
    SplittableRandom random = new SplittableRandom(7);
    for (int change = 0; change < 4; change++) {
      long[] ids = new long[rows];
      for (int i = 0; i < rows; i++) {
        boolean early = i < rows / 2;
        ids[i] =
            switch (change) {
              case 0 -> early ? random.nextLong() : i;
              case 1 -> early ? 5 : random.nextInt(1_000);
              case 2 -> early ? i * 3L : random.nextInt(100);
              default -> early ? random.nextInt(100) : i * 0x9E3779B97F4A7C15L;
            };
      }
      ColumnValues column = ColumnValues.of(new long[][] {ids});
      SegmentSerializer columnar = Serializers.ofName("columnar-balanced").newSegmentSerializer();
      Segment first = SegmentChecks.segment(column, 0, 16_384);
      Segment late = new Segment(1, first.part(), 15 * 16_384, 16_384);
      SegmentChecks.bytes(columnar, first, column);
      int remembered = SegmentChecks.bytes(columnar, late, column).remaining();
      long[] lateIds = Arrays.copyOfRange(ids, 15 * 16_384, rows);
      ColumnValues alone = ColumnValues.of(new long[][] {lateIds});
      Segment only = SegmentChecks.segment(alone, 0, 16_384);
      int best = SegmentChecks.bytes(columnar, only, alone).remaining();

      assertThat(remembered).as("change %d", change).isLessThan(best * 3 / 2 + 1_024);
    }
  }

  @Test
  void fewDeletedRowsTakeFewBytes() throws Exception {
    RowBits deleted = new RowBits(1 << 20);
    for (int row = 0; row < 1 << 20; row += 1_500) {
      deleted.set(row);
    }
    RowBits read = new RowBits(1 << 20);
    Segment segment = SegmentChecks.segment(deleted, 0, 1 << 20);
    SegmentSerializer columnar = new ColumnarSerializer().newSegmentSerializer();
    ByteBuffer bytes = SegmentChecks.bytes(columnar, segment, deleted);

    assertThat(bytes.remaining()).isLessThan(2_000);
    columnar.deserialize(segment, bytes, read);
    assertThat(read).isEqualTo(deleted);
  }

  @Test
  void textsAreCompressedUnlessTheLinkIsFast() throws Exception {
    @Nullable String[] comments = new String[4_000];
    SplittableRandom random = new SplittableRandom(5);
    String[] words = {"carefully", "final", "deposits", "sleep", "furiously", "among", "the", "x"};
    for (int i = 0; i < comments.length; i++) {
      comments[i] =
          i % 97 == 0 ? null : i + " " + words[random.nextInt(8)] + words[random.nextInt(8)];
    }
    ColumnValues column = ColumnValues.ofTexts(new String[][] {comments});
    Segment segment = SegmentChecks.segment(column, 0, comments.length);
    SegmentSerializer balanced = Serializers.ofName("columnar").newSegmentSerializer();
    SegmentSerializer fast = Serializers.ofName("columnar-fast").newSegmentSerializer();

    int bytes = SegmentChecks.bytes(balanced, segment, column).remaining();

    assertThat(((ColumnarSegmentSerializer) balanced).lastEncoding()).endsWith(", TERMINATED)");
    assertThat(2 * bytes).isLessThan(SegmentChecks.bytes(fast, segment, column).remaining());
    SegmentChecks.assertRoundTrip(balanced, column, comments.length, "comments");
    balanced.close();
  }

  @Test
  void textThatIsNoUtf8IsRefusedWithItsColumnAndRow() {
    ColumnValues column = ColumnValues.allocate(ColumnType.STRING, 100, false);
    Segment whole = SegmentChecks.segment(column, 0, 100);
    Segment segment = new Segment(0, whole.part(), 50, 2);
    byte[] bytes = {16, 0, 0, 0, 10, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 'a', (byte) 0xC3};
    SegmentSerializer columnar = new ColumnarSerializer().newSegmentSerializer();
    ByteBuffer source = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);

    assertThatThrownBy(() -> columnar.deserialize(segment, source, column))
        .isInstanceOf(ShipmentException.class)
        .hasMessageContaining("row 51 of ")
        .hasMessageContaining("0xC3");
  }

  @Test
  void choosesRawOverLoopbackAndTheSameForTheSameLink() {
    ColumnValues values = RandomCargo.column(9, ColumnType.LONG, 10_000, false);
    Segment segment = SegmentChecks.segment(values, 0, 10_000);
    Serializer columnar = Serializers.ofName("columnar");
    Serializer loopback = columnar.forRate(TransportOptions.LOOPBACK_BYTES_PER_SECOND);

    int bytes = SegmentChecks.bytes(loopback.newSegmentSerializer(), segment, values).remaining();

    assertThat(bytes).isEqualTo(8 + 10_000 * Long.BYTES);
    assertThat(loopback.name()).isEqualTo("columnar");
    assertThat(columnar.forRate(1 << 20))
        .as("or the threads of one shipment would have a memory each")
        .isSameAs(columnar.forRate(1 << 20))
        .isNotEqualTo(loopback);
    Serializer dense = Serializers.ofName("columnar-dense");
    assertThat(dense.forRate(1 << 20)).isSameAs(dense);
  }
}
