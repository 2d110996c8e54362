package io.drayage.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.PartContent;
import io.drayage.cargo.RowBits;
import io.drayage.segment.CargoAssembler;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentPlanner;
import io.drayage.segment.SegmentSerializer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The largest segments that a serializer accepts, with the values that get longest. */
@Timeout(180)
class LargestSegmentsTest {
  private static final int ROWS = Segment.MAX_RAW_BYTES + 1;

  static Stream<String> serializers() {
    return Serializers.all().stream().map(Serializer::name);
  }

  @ParameterizedTest
  @MethodSource("serializers")
  void fitIntoAFrameWhateverTheirValues(String name) throws Exception {
    Serializer serializer = Serializers.ofName(name);
    SegmentSerializer segments = serializer.newSegmentSerializer();
    ChangeCargo cargo = emptyColumnsOfEveryWidth();
    List<PartContent> contents = CargoAssembler.contentsOf(cargo);

    for (Segment segment :
        new SegmentPlanner(serializer.maxSegmentBytes()).plan(cargo).segments()) {
      PartContent content = contents.get(segment.part().index());

      assertThat(segments.maxSerializedBytes(segment, content))
          .as("%s: %s", name, segment)
          .isLessThanOrEqualTo(SegmentDecoder.MAX_SERIALIZED_BYTES);
    }
  }

  /** Columns whose pages are never made. */
  private static ChangeCargo emptyColumnsOfEveryWidth() {
    ChangeCargo.Builder cargo = ChangeCargo.builder(new UUID(1, 2), 3);
    for (ColumnType type : ColumnType.values()) {
      if (type.isFixedWidth()) {
        cargo.table(
            type.name(),
            table ->
                table
                    .insert("values", ColumnValues.allocate(type, ROWS, false))
                    .insert("nullable", ColumnValues.allocate(type, ROWS, true)));
      }
    }
    return cargo
        .table("deleted", table -> table.delete(RowBits.allSet(9L * Segment.MAX_RAW_BYTES)))
        .build();
  }

  /** A zero has two bytes in Java's UTF-8. */
  @ParameterizedTest
  @MethodSource("serializers")
  void carryTheLongestTexts(String name) throws Exception {
    Serializer serializer = Serializers.ofName(name);
    CodecPair pair = CodecPair.of(name, "none");
    String[] texts = {longest("ÿ"), longest("\0"), longest("漢"), longest("😀")};
    ChangeCargo cargo =
        TestContent.ofTable("texts", table -> table.insert("c", ColumnValues.ofTexts(texts)))
            .cargo();

    ChangeCargo arrived = new SegmentsTrip(pair, serializer.maxSegmentBytes()).carry(cargo);

    assertThat(CargoDigest.of(arrived)).isEqualTo(CargoDigest.of(cargo));
  }

  private static String longest(String c) {
    int bytes = SegmentPlanner.MAX_TEXT_BYTES - CargoSize.TEXT_LENGTH_BYTES;
    return c.repeat(bytes / c.getBytes(StandardCharsets.UTF_8).length);
  }
}
