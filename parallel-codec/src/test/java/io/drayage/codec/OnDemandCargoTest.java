package io.drayage.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.Latin1Texts;
import io.drayage.cargo.PageSource;
import io.drayage.cargo.RandomCargo;
import io.drayage.cargo.RowBits;
import io.drayage.testing.OnDemand;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Cargoes whose pages are made on demand are serialized like those in memory. */
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

  /** Texts are looked at row by row, and more than once. */
  @ParameterizedTest
  @MethodSource("all")
  void pagesAreMadeOnceForASegment(Serializer serializer) throws IOException {
    for (ColumnType type : ColumnType.values()) {
      OnDemand pages = new OnDemand();
      ColumnValues values = pages.of(RandomCargo.column(1, type, 5_000, false), ROWS_PER_PAGE);
      framesOf(
          cargo(values),
          new CargoFrames(
              serializer.newSegmentSerializer(), serializer.id(), Compressors.ofName("none")));
      // The planner looks at the lengths of texts beforehand.
      assertThat(pages.pagesMade()).as("%s", type).isEqualTo(type.isFixedWidth() ? 5 : 10);
    }
  }

  /** What has no object for each text is the same cargo. */
  @ParameterizedTest
  @MethodSource("all")
  void compactTextsAreTheSame(Serializer serializer) throws IOException {
    byte[] characters = new byte[3 * ROWS_PER_PAGE];
    new Random(1).nextBytes(characters);
    int[] starts = new int[2 * ROWS_PER_PAGE + 1];
    RowBits validity = RowBits.allSet(starts.length - 1);
    for (int i = 1; i < starts.length; i++) {
      starts[i] = starts[i - 1] + (i % 11 == 0 ? 0 : i % 3);
      if (i % 22 == 0) {
        validity.clear(i - 1);
      }
    }
    Latin1Texts texts = new Latin1Texts(characters, starts, validity);
    ColumnValues compact =
        ColumnValues.onDemand(
            ColumnType.STRING,
            texts.rows(),
            texts.rows(),
            new PageSource() {
              @Override
              public Object page(int page) {
                return texts.toStrings();
              }

              @Override
              public Latin1Texts texts(int page) {
                return texts;
              }
            });
    CargoFrames frames =
        new CargoFrames(
            serializer.newSegmentSerializer(), serializer.id(), Compressors.ofName("none"));
    ChangeCargo expected = cargo(ColumnValues.of(new String[][] {texts.toStrings()}));
    assertThat(framesOf(cargo(compact), frames)).isEqualTo(framesOf(expected, frames));
    assertThat(CargoDigest.of(cargo(compact))).isEqualTo(CargoDigest.of(expected));
  }

  private static ChangeCargo cargo(ColumnValues values) {
    return ChangeCargo.builder(new UUID(1, 2), 3)
        .table("t", table -> table.insert("c", values))
        .build();
  }
}
