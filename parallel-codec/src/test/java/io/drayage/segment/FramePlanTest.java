package io.drayage.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RandomCargo;
import io.drayage.codec.CargoFrames;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.testing.CargoBytes;
import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FramePlanTest {
  private static final int TARGET = SegmentPlanner.DEFAULT_SEGMENT_BYTES;
  private static final int MANIFEST_LIMIT_BYTES = FrameType.MANIFEST.maxPayloadBytes();

  /** A cargo of {@code columns} inserted columns of one int, in tables of a thousand. */
  static ChangeCargo tinyColumns(int columns) {
    ChangeCargo.Builder cargo = ChangeCargo.builder(new UUID(1, 2), 3);
    for (int first = 0; first < columns; first += 1_000) {
      int start = first;
      int end = Math.min(columns, first + 1_000);
      cargo.table(
          "table_" + first,
          table ->
              IntStream.range(start, end)
                  .forEach(c -> table.insert("column_" + c, ints(new int[] {c}))));
    }
    return cargo.build();
  }

  private static ColumnValues ints(int[] page) {
    return ColumnValues.of(new int[][] {page});
  }

  @Test
  void tenThousandTinyColumnsTakeThreeFrames() throws Exception {
    ChangeCargo cargo = tinyColumns(10_000);

    List<ByteBuffer> frames = CargoBytes.gatheredFramesOf(cargo);

    assertThat(frames).as("manifest, frames, seal").hasSize(1 + 3 + 1);
    assertThat(frames.get(0).remaining()).isLessThan(MANIFEST_LIMIT_BYTES / 8);
    byte[] bytes = CargoBytes.of(cargo);
    assertThat(CargoDigest.of(CargoBytes.frames().read(new ByteArrayInputStream(bytes), 1 << 20)))
        .isEqualTo(CargoDigest.of(cargo));
    assertThat(CargoFrames.inspect(new ByteArrayInputStream(bytes)).segments()).hasSize(10_000);
  }

  @ParameterizedTest
  @ValueSource(ints = {SegmentPlanner.MIN_SEGMENT_BYTES, 64 << 10, TARGET, Segment.MAX_RAW_BYTES})
  void runsCoverAllSegmentsInOrderAndStayBelowTheTarget(int target) {
    for (int rows : new int[] {0, 1, 700, 3_000, 70_000}) {
      Manifest manifest = new SegmentPlanner(target).plan(RandomCargo.of(rows, rows));
      FramePlan plan = FramePlan.of(manifest, target);
      int next = 0;
      for (int frame = 0; frame < plan.frameCount(); frame++) {
        List<Segment> run = plan.segments(frame);
        assertThat(run).isNotEmpty();
        assertThat(run.get(0).index()).isEqualTo(next).isEqualTo(plan.firstSegment(frame));
        assertThat(run.size() == 1 || plan.estimatedRawBytes(frame) <= target).isTrue();
        next += run.size();
      }
      assertThat(next).as("seed and rows %d", rows).isEqualTo(manifest.segments().size());
    }
  }

  @Test
  void gathersUpToAQuarterOfTheTargetAndNothingLarger() {
    int small = (TARGET / 4 - FramePlan.SEGMENT_OVERHEAD_BYTES) / Integer.BYTES;
    assertThat(frames(ints(new int[small]), ints(new int[small]))).isEqualTo(1);
    assertThat(frames(ints(new int[small + 1]), ints(new int[small]))).isEqualTo(2);
    assertThat(frames(ints(new int[1]), ints(new int[small + 1]), ints(new int[1]))).isEqualTo(3);
    ColumnValues[] five = new ColumnValues[5];
    Arrays.fill(five, ints(new int[small]));
    assertThat(frames(five)).as("four fill the target").isEqualTo(2);
  }

  @Test
  void doesNotTrustTheAverageOfTexts() {
    String[] page = new String[1_000];
    Arrays.fill(page, "");
    page[999] = "x".repeat(TARGET - 1_000);
    ColumnValues skewed = ColumnValues.ofTexts(new String[][] {page});

    assertThat(frames(skewed, ints(new int[1]))).as("the skewed column's two alone").isEqualTo(3);
  }

  private static int frames(ColumnValues... columns) {
    ChangeCargo.Builder cargo = ChangeCargo.builder(new UUID(1, 2), 3);
    for (int c = 0; c < columns.length; c++) {
      ColumnValues column = columns[c];
      cargo.table("t" + c, table -> table.insert("c", column));
    }
    return FramePlan.of(new SegmentPlanner(TARGET).plan(cargo.build()), TARGET).frameCount();
  }

  @Test
  void ordersFramesByTheirBytes() {
    ChangeCargo.Builder cargo = ChangeCargo.builder(new UUID(1, 2), 3);
    int[] rows = {100_000, 1, 200_000, 150_000};
    for (int t = 0; t < rows.length; t++) {
      ColumnValues values = ColumnValues.allocate(ColumnType.INT, rows[t], false);
      cargo.table("t" + t, table -> table.insert("c", values));
    }
    FramePlan plan = FramePlan.of(new SegmentPlanner(TARGET).plan(cargo.build()), TARGET);

    assertThat(plan.largestFirst()).containsExactly(2, 3, 0, 1);
  }

  @Test
  void framesWithoutRunsAreStillRead() throws Exception {
    ChangeCargo cargo = RandomCargo.of(5, 500);
    List<ByteBuffer> frames = CargoBytes.framesOf(cargo);
    ByteBuffer all = ByteBuffer.allocate(frames.stream().mapToInt(ByteBuffer::remaining).sum());
    frames.forEach(frame -> all.put(frame.duplicate()));

    ChangeCargo read = CargoBytes.frames().read(new ByteArrayInputStream(all.array()), 1 << 20);

    assertThat(frames).hasSizeGreaterThan(10);
    assertThat(CargoDigest.of(read)).isEqualTo(CargoDigest.of(cargo));
    assertThat(CargoFrames.inspect(new ByteArrayInputStream(all.array())).segments())
        .hasSize(frames.size() - 2);
    assertThat(FrameHeader.type(frames.get(1))).isEqualTo(FrameType.SEGMENT);
  }
}
