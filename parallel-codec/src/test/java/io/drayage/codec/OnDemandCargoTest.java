package io.drayage.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RandomCargo;
import io.drayage.testing.CargoBytes;
import io.drayage.testing.OnDemand;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Cargoes with pages on demand are serialized like cargoes in memory. */
@Timeout(180)
class OnDemandCargoTest {
  private static final ChangeCargo IN_MEMORY = RandomCargo.of(1, 3_000);
  private static final int ROWS_PER_PAGE = 1_000;

  static List<Serializer> all() {
    return Serializers.all();
  }

  @ParameterizedTest
  @MethodSource("all")
  void segmentsHaveTheSameBytes(Serializer serializer) throws IOException {
    for (String compressor : List.of("none", "lz4")) {
      CargoFrames frames =
          new CargoFrames(
              serializer.newSegmentSerializer(), serializer.id(), Compressors.ofName(compressor));
      byte[] onDemand = framesOf(new OnDemand().of(IN_MEMORY, ROWS_PER_PAGE), frames);
      assertThat(Arrays.equals(onDemand, framesOf(IN_MEMORY, frames))).as(compressor).isTrue();
    }
  }

  private static byte[] framesOf(ChangeCargo cargo, CargoFrames frames) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    frames.write(cargo, out);
    return out.toByteArray();
  }

  /** A serializer reads texts row by row, and more than once. */
  @ParameterizedTest
  @MethodSource("all")
  void pagesAreMadeOnceForASegment(Serializer serializer) throws IOException {
    for (ColumnType type : ColumnType.values()) {
      OnDemand pages = new OnDemand();
      ColumnValues values = pages.of(RandomCargo.column(1, type, 5_000, false), ROWS_PER_PAGE);
      framesOf(
          CargoBytes.cargoOf(values),
          new CargoFrames(
              serializer.newSegmentSerializer(), serializer.id(), Compressors.ofName("none")));
      // The planner reads the lengths of texts first.
      assertThat(pages.pagesMade()).as("%s", type).isEqualTo(type.isFixedWidth() ? 5 : 10);
    }
  }
}
