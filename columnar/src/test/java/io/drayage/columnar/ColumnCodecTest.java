package io.drayage.columnar;

import static io.drayage.testing.Refusals.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RandomCargo;
import io.drayage.codec.CargoFrames;
import io.drayage.codec.Compressors;
import io.drayage.frame.ShipmentException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(180)
final class ColumnCodecTest {
  private static final long LIMIT = 1 << 30;

  @ParameterizedTest
  @EnumSource(ColumnType.class)
  void everyTypeComesBack(ColumnType type) throws Exception {
    for (ColumnarMode mode : ColumnarMode.values()) {
      for (int rows : new int[] {0, 1, 65, 70_000}) {
        for (boolean nullable : rows < 70_000 ? List.of(false, true) : List.of(true)) {
          ColumnValues values = RandomCargo.column(rows, type, rows, nullable);
          ColumnCodec.Encoded encoded = ColumnCodec.encode(values, ColumnarOptions.of(mode));
          assertThat(encoded.rawBytes()).isEqualTo(CargoSize.rawBytes(values));
          assertThat(encoded.encodings().isEmpty()).isEqualTo(rows == 0);
          ColumnValues decoded = ColumnCodec.decode(encoded.bytes(), LIMIT);
          assertThat(decoded.type()).isEqualTo(type);
          assertThat(decoded.rowCount()).isEqualTo(rows);
          assertThat(CargoDigest.ofColumn(decoded))
              .as("%s, %d rows", mode, rows)
              .isEqualTo(CargoDigest.ofColumn(values));
          assertThat(ColumnCodec.encode(decoded, ColumnarOptions.of(mode)).bytes())
              .isEqualTo(encoded.bytes());
        }
      }
    }
  }

  @Test
  void anArrayComesBackAsOne() throws Exception {
    long[] longs = new long[100_000];
    Arrays.setAll(longs, i -> 1_700_000_000_000L + 250L * i);
    assertThat(ColumnCodec.encode(longs, ColumnarOptions.DEFAULT).bytes())
        .hasSizeLessThan(8 * longs.length / 100);
    String[] texts = {"", null, "Zürich", "東京", "\uD83D\uDE00"};
    for (Object array : List.of(longs, new double[] {0.0, -0.0, -1e300}, texts, new int[0])) {
      byte[] bytes = ColumnCodec.encode(array, ColumnarOptions.DEFAULT).bytes();
      assertThat(ColumnCodec.decode(bytes, LIMIT).toArray()).isEqualTo(array);
    }
  }

  @Test
  void otherArraysAreRefused() {
    assertThatThrownBy(() -> ColumnCodec.encode(new char[1], ColumnarOptions.DEFAULT))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ColumnCodec.encode(17, ColumnarOptions.DEFAULT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("java.lang.Integer is no array");
  }

  @Test
  void bytesThatAreCutOrChangedAreRefused() {
    int[] values = new int[100];
    Arrays.setAll(values, i -> i * i);
    byte[] bytes = ColumnCodec.encode(values, ColumnarOptions.DEFAULT).bytes();
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> ColumnCodec.decode(cut, LIMIT))
          .isInstanceOf(ShipmentException.class);
    }
    for (int i = 0; i < bytes.length; i++) {
      byte[] changed = bytes.clone();
      changed[i] ^= 4;
      assertThatThrownBy(() -> ColumnCodec.decode(changed, LIMIT))
          .as("byte %d", i)
          .isInstanceOf(ShipmentException.class);
    }
    assertThatThrownBy(() -> ColumnCodec.decode(Arrays.copyOf(bytes, bytes.length + 1), LIMIT))
        .hasMessage("1 bytes follow the end of the column");
    assertFails(() -> ColumnCodec.decode(bytes, 300), ShipmentException.class, "400");
  }

  @Test
  void anotherCargoIsNoColumn() throws Exception {
    ColumnarSerializer columnar = new ColumnarSerializer(ColumnarOptions.DEFAULT);
    ChangeCargo cargo =
        ChangeCargo.builder(new UUID(0, 0), 0)
            .table(
                "t",
                table ->
                    table
                        .insert("a", ColumnValues.of(new int[][] {{1}}))
                        .insert("b", ColumnValues.of(new int[][] {{2}})))
            .build();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    new CargoFrames(columnar.newSegmentSerializer(), columnar.id(), Compressors.ofName("none"))
        .write(cargo, bytes);
    assertThatThrownBy(() -> ColumnCodec.decode(bytes.toByteArray(), LIMIT))
        .isInstanceOf(ShipmentException.class)
        .hasMessage("a cargo of 1 tables and 2 parts is no column");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void buffersOfAnyKindTakeAndGiveAColumn(boolean direct) throws Exception {
    ColumnValues values = RandomCargo.column(5, ColumnType.STRING, 70_000, true);
    byte[] bytes = ColumnCodec.encode(values, ColumnarOptions.DEFAULT).bytes();
    int before = 7;
    int capacity = before + bytes.length;
    ByteBuffer buffer =
        direct ? ByteBuffer.allocateDirect(capacity) : ByteBuffer.allocate(capacity);

    ColumnCodec.Written written =
        ColumnCodec.encode(values, ColumnarOptions.DEFAULT, buffer.position(before));

    assertThat(written.bytes()).isEqualTo(bytes.length);
    assertThat(buffer.hasRemaining()).isFalse();
    ByteBuffer source = buffer.flip().position(before).asReadOnlyBuffer();
    assertThat(source.compareTo(ByteBuffer.wrap(bytes))).isZero();

    ColumnValues decoded = ColumnCodec.decode(source, LIMIT);

    assertThat(source.hasRemaining()).isFalse();
    assertThat(CargoDigest.ofColumn(decoded)).isEqualTo(CargoDigest.ofColumn(values));
  }

  @Test
  void bufferThatIsTooSmallStaysWhereItWas() {
    ColumnValues values = RandomCargo.column(5, ColumnType.LONG, 10_000, false);
    int bytes = ColumnCodec.encode(values, ColumnarOptions.DEFAULT).bytes().length;
    ByteBuffer tooSmall = ByteBuffer.allocate(bytes - 1);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> ColumnCodec.encode(values, ColumnarOptions.DEFAULT, tooSmall))
        .withMessage("the column needs %,d bytes, the buffer has room for %,d", bytes, bytes - 1);
    assertThat(tooSmall.position()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void headerTellsTheShapeWithoutAValue(ColumnType type) throws Exception {
    ColumnValues values = RandomCargo.column(6, type, 1_000, true);
    ColumnCodec.Encoded encoded = ColumnCodec.encode(values, ColumnarOptions.DEFAULT);
    ByteBuffer cut = ByteBuffer.wrap(encoded.bytes(), 0, encoded.bytes().length / 2);

    ColumnCodec.Header header = ColumnCodec.header(cut);

    assertThat(header.type()).isEqualTo(type);
    assertThat(header.rows()).isEqualTo(1_000);
    assertThat(header.nullable()).isTrue();
    assertThat(header.rawBytes()).isEqualTo(encoded.rawBytes());
    assertThat(cut.position()).isZero();
  }

  @Test
  void headerOfSomethingElseIsRefused() {
    assertThatThrownBy(() -> ColumnCodec.header(new byte[100]))
        .isInstanceOf(ShipmentException.class);
    assertThatThrownBy(() -> ColumnCodec.header(new byte[0])).isInstanceOf(ShipmentException.class);
  }

  @Test
  void arrayOfAnotherClassIsRefusedByName() {
    ColumnValues ints = ColumnValues.of(new int[][] {{1, 2}});

    assertThat(ints.toArray(int[].class)).containsExactly(1, 2);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ints.toArray(long[].class))
        .withMessage("a column of INT is an array of the class int[], not long[]");
  }
}
