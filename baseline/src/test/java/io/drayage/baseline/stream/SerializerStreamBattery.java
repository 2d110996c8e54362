package io.drayage.baseline.stream;

import static io.drayage.baseline.stream.SerializerChecks.assertRoundTrip;
import static io.drayage.baseline.stream.SerializerChecks.bytes;
import static io.drayage.baseline.stream.SerializerChecks.cargoOf;
import static io.drayage.baseline.stream.SerializerChecks.onlyColumn;
import static io.drayage.baseline.stream.SerializerChecks.read;
import static io.drayage.testing.Faults.assertFault;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RandomCargo;
import io.drayage.codec.Serializer;
import io.drayage.frame.Fault;
import io.drayage.testing.SpareRoom;
import java.io.IOException;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the stream of every serializer with a format of pages does; inherited by their tests. */
public abstract class SerializerStreamBattery {
  /** The serializer under test. */
  protected abstract Serializer serializer();

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 63, 64, 65, 65_535, 65_536, 65_537})
  void cargoSurvivesTheRoundTrip(int rows) throws IOException {
    assertRoundTrip(serializer(), RandomCargo.of(rows, rows), "seed " + rows);
  }

  @Test
  void emptyCargoSurvives() throws IOException {
    assertRoundTrip(serializer(), ChangeCargo.builder(new UUID(0, 0), 0).build(), "no tables");
    assertRoundTrip(
        serializer(),
        ChangeCargo.builder(new UUID(0, 0), 0).table("t", t -> {}).build(),
        "no parts");
  }

  @Test
  void spareRowsTravelAlong() throws IOException {
    ChangeCargo cargo = SpareRoom.of(RandomCargo.of(7, 1_000), 300);

    ColumnValues values = onlyColumn(assertRoundTrip(serializer(), cargo, "seed 7"));

    assertThat(values.rowsInPage(3)).isEqualTo(100);
    assertThat(Array.getLength(values.page(3))).isEqualTo(300);
  }

  @Test
  void everyNanKeepsItsBits() throws IOException {
    double[] doubles = new double[2_000];
    float[] floats = new float[2_000];
    for (int i = 0; i < doubles.length; i++) {
      doubles[i] = Double.longBitsToDouble(0x7FF0_0000_0000_0001L + i);
      floats[i] = Float.intBitsToFloat(0xFF80_0001 + i);
    }
    doubles[0] = -0.0;
    floats[0] = -0.0f;

    assertRoundTrip(serializer(), cargoOf(ColumnValues.of(new double[][] {doubles})), "doubles");
    assertRoundTrip(serializer(), cargoOf(ColumnValues.of(new float[][] {floats})), "floats");
  }

  @Test
  void everyTextSurvives() throws IOException {
    String[] texts = {
      "",
      null,
      "\u0000",
      "\uFFFD",
      "\uFFFF",
      "\uD800",
      "\uDC00",
      "\uDC00\uD800",
      "a\uD83D",
      "😀\uD83D",
      "\uD83D😀",
      "\u007F".repeat(32),
      "\u0080".repeat(32),
      "x".repeat(31),
      "x".repeat(32),
      "x".repeat(33),
      "ä".repeat(127),
      "ä".repeat(128),
      "x".repeat(255),
      "x".repeat(256),
      "x".repeat(511),
      "汉".repeat(511),
      "汉".repeat(512),
      "😀".repeat(8_192),
      "x".repeat(65_535),
      "x".repeat(65_536),
      "汉".repeat(100_000),
      "\uD800".repeat(100_000),
      "x".repeat(4_090) + "汉".repeat(3_000),
      "\uFFFF".repeat(700_000),
      "\uFFFD".repeat(3_000)
    };

    ChangeCargo read =
        assertRoundTrip(
            serializer(), cargoOf(ColumnValues.of(new String[][] {texts})), "texts of every kind");

    assertThat((String[]) onlyColumn(read).page(0)).isEqualTo(texts);
  }

  @Test
  void everyCodeUnitSurvivesAlone() throws IOException {
    String[] texts = new String[Character.MAX_VALUE + 1];
    Arrays.setAll(texts, c -> String.valueOf((char) c));

    assertRoundTrip(serializer(), cargoOf(ColumnValues.of(new String[][] {texts})), "code units");
  }

  @Test
  @Tag("nightly")
  @Timeout(300)
  void refusesAStreamCutAnywhere() throws IOException {
    SerializerChecks.assertEveryCutIsRefused(
        serializer(), bytes(serializer(), RandomCargo.of(3, 70)));
  }

  @Test
  @Tag("nightly")
  @Timeout(300)
  void everyFlippedBitIsHarmless() throws IOException {
    SerializerChecks.assertEveryFlipIsHarmless(
        serializer(), bytes(serializer(), RandomCargo.of(4, 20)), 1 << 20);
  }

  @Test
  void readsACargoThatFitsAndRefusesOneThatDoesNot() throws IOException {
    ChangeCargo cargo = cargoOf(RandomCargo.column(4, ColumnType.LONG, 1_000, false));
    byte[] bytes = bytes(serializer(), cargo);

    assertThat(CargoDigest.of(read(serializer(), bytes, 9_000))).isEqualTo(CargoDigest.of(cargo));
    assertFault(Fault.LIMIT, () -> read(serializer(), bytes, 8_000));
  }

  @Test
  void formatIsFrozen() throws IOException {
    SerializerChecks.assertGolden(serializer());
  }
}
