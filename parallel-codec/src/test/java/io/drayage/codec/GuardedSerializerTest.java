package io.drayage.codec;

import static io.drayage.internal.Texts.format;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.PartContent;
import io.drayage.cargo.RandomCargo;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TextPage;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.CargoAssembler;
import io.drayage.segment.Manifest;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentPlanner;
import io.drayage.segment.SegmentSerializer;
import java.lang.reflect.Array;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every serializer writes only to its buffer, and reads only into its segment's rows. */
@Timeout(180)
class GuardedSerializerTest {
  private static final long SEED = 53;
  private static final int ROWS = 3_000;

  private final ChangeCargo cargo = RandomCargo.of(SEED, ROWS);
  private final Manifest manifest =
      new SegmentPlanner(SegmentPlanner.MIN_SEGMENT_BYTES).plan(cargo);
  private final List<PartContent> contents = CargoAssembler.contentsOf(cargo);

  static Stream<Serializer> serializers() {
    return Serializers.all().stream();
  }

  @ParameterizedTest
  @MethodSource("serializers")
  void writesWithinItsBoundAndOverflowsOnlyBelowWhatItNeeds(Serializer serializer) {
    SegmentSerializer segments = serializer.newSegmentSerializer();
    for (Segment segment : manifest.segments()) {
      PartContent content = contents.get(segment.part().index());
      GuardedBuffer ample = GuardedBuffer.ofBytes(segments.maxSerializedBytes(segment, content));
      ByteBuffer target = ample.whole();
      int start = target.position();
      segments.serialize(segment, content, target);
      int needed = target.position() - start;
      ample.assertNothingElseWritten(segment.toString());

      GuardedBuffer exact = GuardedBuffer.ofBytes(needed);
      segments.serialize(segment, content, exact.whole());
      exact.assertNothingElseWritten(segment.toString());
      assertThat(exact.whole())
          .as("%s written twice", segment)
          .isEqualTo(ample.whole().limit(start + needed));

      GuardedBuffer tooSmall = GuardedBuffer.ofBytes(needed - 1);
      assertThatThrownBy(() -> segments.serialize(segment, content, tooSmall.whole()))
          .as("%s into a byte less than it needs", segment)
          .isInstanceOf(BufferOverflowException.class);
      tooSmall.assertNothingElseWritten(segment.toString());
    }
  }

  @ParameterizedTest
  @MethodSource("serializers")
  void worksOnAfterAnOverflow(Serializer serializer) throws ShipmentException {
    SegmentSerializer segments = serializer.newSegmentSerializer();
    CargoAssembler assembler = new CargoAssembler(manifest);
    for (Segment segment : manifest.segments()) {
      PartContent content = contents.get(segment.part().index());
      GuardedBuffer half = GuardedBuffer.ofBytes(write(segments, segment).remaining() / 2);
      assertThatThrownBy(() -> segments.serialize(segment, content, half.whole()))
          .isInstanceOf(BufferOverflowException.class);
      half.assertNothingElseWritten(segment.toString());
      segments.deserialize(segment, write(segments, segment), assembler.content(segment));
    }
    assertThat(CargoDigest.of(assembler.cargo()))
        .as("seed %d", SEED)
        .isEqualTo(CargoDigest.of(cargo));
  }

  @ParameterizedTest
  @MethodSource("serializers")
  void readsIntoTheRowsOfItsSegmentOnly(Serializer serializer) throws ShipmentException {
    SegmentSerializer segments = serializer.newSegmentSerializer();
    for (Segment segment : manifest.segments()) {
      PartContent target = patterned(segment);
      segments.deserialize(segment, write(segments, segment), target);
      assertOthersKeepThePattern(segment, target, "whole");
    }
  }

  @ParameterizedTest
  @MethodSource("serializers")
  void touchesNoOtherRowsWhateverItIsToRead(Serializer serializer) {
    Random random = new Random(SEED);
    SegmentSerializer segments = serializer.newSegmentSerializer();
    for (Segment segment : manifest.segments()) {
      ByteBuffer good = write(segments, segment);
      PartContent target = patterned(segment);
      for (int trial = 0; trial < 3; trial++) {
        ByteBuffer broken = SegmentsTrip.copy(good);
        broken.put(random.nextInt(Math.min(40, broken.limit())), (byte) random.nextInt());
        broken.put(random.nextInt(broken.limit()), (byte) random.nextInt());
        tryDeserialize(segments, segment, broken, target);
        assertOthersKeepThePattern(segment, target, format("trial %d, seed %d", trial, SEED));
      }
    }
  }

  private static void tryDeserialize(
      SegmentSerializer segments, Segment segment, ByteBuffer source, PartContent target) {
    try {
      segments.deserialize(segment, source, target);
    } catch (ShipmentException e) {
      assertThat(e.fault()).as(e.getMessage()).isIn(Fault.DECODE, Fault.LIMIT);
    } catch (RuntimeException | Error e) {
      throw new AssertionError(format("%s, seed %d", segment, SEED), e);
    }
  }

  private ByteBuffer write(SegmentSerializer segments, Segment segment) {
    PartContent content = contents.get(segment.part().index());
    ByteBuffer target =
        GuardedBuffer.ofBytes(segments.maxSerializedBytes(segment, content)).whole();
    int start = target.position();
    segments.serialize(segment, content, target);
    return SegmentsTrip.copy(target.limit(target.position()).position(start));
  }

  /** An allocated part, full of values that differ from the segment's. */
  private PartContent patterned(Segment segment) {
    PartContent target;
    try {
      target = new CargoAssembler(manifest).content(segment);
    } catch (ShipmentException e) {
      throw new AssertionError(e);
    }
    if (target instanceof ColumnValues values) {
      RowPattern.fill(values);
    } else {
      RowPattern.fill((RowBits) target);
    }
    return target;
  }

  private static void assertOthersKeepThePattern(Segment segment, PartContent target, String what) {
    long end = segment.firstRow() + segment.rowCount();
    for (long row = 0; row < segment.part().rowCount(); row++) {
      if (row < segment.firstRow() || row >= end) {
        boolean kept =
            target instanceof ColumnValues values
                ? RowPattern.isKept(values, row)
                : RowPattern.isKept((RowBits) target, row);
        if (!kept) {
          throw new AssertionError(format("row %,d beside %s was written, %s", row, segment, what));
        }
      }
    }
  }

  /** Fills allocated parts with a pattern that shows a stray write. */
  private static final class RowPattern {
    private static final byte NUMBER = 0x5A;
    private static final long WORD = 0x5A5A_5A5A_5A5A_5A5AL;

    private RowPattern() {}

    static void fill(ColumnValues values) {
      for (int p = 0; p < values.pageCount(); p++) {
        Object page = values.pageForWrite(p);
        if (page instanceof boolean[] booleans) {
          Arrays.fill(booleans, true);
        } else if (!(page instanceof TextPage)) { // A row of texts cannot be put twice.
          for (int i = 0; i < Array.getLength(page); i++) {
            Array.setByte(page, i, NUMBER); // widened to the type of the page
          }
        }
      }
      if (values.validity() != null) {
        fill(values.validity());
      }
    }

    static void fill(RowBits bits) {
      for (long w = 0; w < bits.wordCount(); w++) {
        bits.setWord(w, WORD);
      }
    }

    static boolean isKept(ColumnValues values, long row) {
      RowBits validity = values.validity();
      Object page = values.page(values.pageOf(row));
      boolean kept;
      if (page instanceof TextPage texts) {
        kept = texts.length(values.offsetOf(row)) == 0;
      } else {
        Object value = Array.get(page, values.offsetOf(row));
        kept = value instanceof Number number ? number.doubleValue() == NUMBER : value.equals(true);
      }
      return kept && (validity == null || isKept(validity, row));
    }

    static boolean isKept(RowBits bits, long row) {
      return bits.get(row) == ((WORD >>> row & 1) != 0);
    }
  }
}
