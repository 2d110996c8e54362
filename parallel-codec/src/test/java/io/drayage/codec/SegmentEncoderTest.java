package io.drayage.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnBuilder;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.PartContent;
import io.drayage.frame.FrameHeader;
import io.drayage.memory.BufferPool;
import io.drayage.memory.ByteBudget;
import io.drayage.memory.Lease;
import io.drayage.segment.CargoAssembler;
import io.drayage.segment.Manifest;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentPlanner;
import io.drayage.testing.CargoBytes;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SegmentEncoderTest {
  private static final int POOLED_BYTES = 8 << 10;

  private final ByteBudget budget = new ByteBudget(1 << 20);
  private final BufferPool buffers = new BufferPool(POOLED_BYTES, budget);
  private final Serializer serializer = Serializers.ofName("raw");

  private static ChangeCargo cargoOf(String first, int texts, String text) {
    ColumnBuilder column = new ColumnBuilder(ColumnType.STRING).addString(first);
    for (int i = 0; i < texts; i++) {
      column.addString(text);
    }
    return CargoBytes.cargoOf(column.build());
  }

  /** Encodes and decodes every segment, and returns the largest buffer that was leased. */
  private int roundTrip(ChangeCargo cargo) throws Exception {
    Manifest manifest = new SegmentPlanner(SegmentPlanner.MIN_SEGMENT_BYTES).plan(cargo);
    CargoAssembler assembler = new CargoAssembler(manifest);
    SegmentEncoder encoder =
        new SegmentEncoder(
            serializer.newSegmentSerializer(), serializer.id(), Compressors.ofName("none"));
    SegmentDecoder decoder =
        new SegmentDecoder(
            serializer.newSegmentSerializer(), serializer.id(), Compressors.ofName("none"));
    int largest = 0;
    for (Segment segment : manifest.segments()) {
      List<PartContent> contents = CargoAssembler.contentsOf(cargo);
      try (Lease lease = encoder.encode(List.of(segment), contents, buffers, 7)) {
        largest = Math.max(largest, lease.buffer().capacity());
        decoder.decode(FrameHeader.verify(lease.buffer()), assembler);
      }
    }
    assertThat(CargoDigest.of(assembler.cargo())).isEqualTo(CargoDigest.of(cargo));
    assertThat(budget.usedBytes()).isZero();
    return largest;
  }

  @Test
  void putsTextsIntoAPooledBuffer() throws Exception {
    assertThat(roundTrip(cargoOf("first", 2_000, "a text of 20 letters"))).isEqualTo(POOLED_BYTES);
  }

  @ParameterizedTest
  @ValueSource(strings = {"one \u0100 widens", "\uD83D\uDE80"})
  void takesALargerBufferWhenTheTextDoesNotFit(String wide) throws Exception {
    // One segment is far above the average of its part, by which its size is estimated.
    String longText = wide.repeat(12_000 / wide.length());
    assertThat(roundTrip(cargoOf(longText, 200, ""))).isGreaterThan(POOLED_BYTES);
  }
}
