package io.drayage.baseline.java;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.baseline.stream.StreamSerializer;
import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RandomCargo;
import io.drayage.codec.Serializer;
import io.drayage.codec.Serializers;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.testing.SpareRoom;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JavaSerializerTest {
  private static final long MAX_BYTES = 100 << 20;

  private final Serializer serializer = Serializers.ofName("java");

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 63, 64, 65, 65_535, 65_536, 65_537})
  void cargoSurvivesTheRoundTrip(int rows) throws IOException {
    ChangeCargo cargo = RandomCargo.of(rows, rows);

    ChangeCargo read = read(bytes(cargo), MAX_BYTES);

    assertThat(CargoDigest.of(read)).as("seed %d", rows).isEqualTo(CargoDigest.of(cargo));
  }

  @Test
  void everyNanOfAWholeCargoArrivesCanonical() throws IOException {
    double odd = Double.longBitsToDouble(0x7FF0_0000_0000_0001L);
    ChangeCargo cargo =
        ChangeCargo.builder(new UUID(1, 2), 3)
            .table("t", t -> t.insert("c", ColumnValues.of(new double[][] {{odd}})))
            .build();

    ChangeCargo read = read(bytes(cargo), MAX_BYTES);

    Object page = read.tables().get(0).insertedColumns().get(0).values().page(0);
    assertThat(Double.doubleToRawLongBits(((double[]) page)[0])).isEqualTo(0x7FF8_0000_0000_0000L);
  }

  @Test
  void spareRoomTravelsAlong() throws IOException {
    ChangeCargo cargo = SpareRoom.of(RandomCargo.of(7, 1_000), 300);

    ChangeCargo read = read(bytes(cargo), MAX_BYTES);

    assertThat(CargoDigest.of(read)).as("seed 7").isEqualTo(CargoDigest.of(cargo));
    ColumnValues values = read.tables().get(0).insertedColumns().get(0).values();
    assertThat(values.rowsInPage(3)).isEqualTo(100);
    assertThat(Array.getLength(values.page(3))).isEqualTo(300);
  }

  @Test
  void refusesMoreRowsThanThePagesHave() throws IOException {
    long[][] pages = {{1, 2}, {3, 4}};
    ChangeCargo cargo =
        ChangeCargo.builder(new UUID(1, 2), 3)
            .table("t", table -> table.insert("c", ColumnValues.of(pages, 4, null)))
            .build();
    pages[1] = new long[] {3};

    assertThatThrownBy(() -> read(bytes(cargo), MAX_BYTES))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("4 rows do not end in the last of 2 pages: expected 3 to 3");
  }

  @Test
  void refusesAClassOutsideTheModelByName() throws IOException {
    byte[] hostile = bytes(new ArrayList<>(List.of("a")));

    assertThatThrownBy(() -> read(hostile, MAX_BYTES))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("java.util.ArrayList");
  }

  @Test
  void refusesAProxy() throws IOException {
    Object proxy =
        java.lang.reflect.Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Runnable.class},
            (java.lang.reflect.InvocationHandler & Serializable) (self, method, args) -> null);

    assertThatThrownBy(() -> read(bytes(proxy), MAX_BYTES))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("which is no part of a cargo");
  }

  @Test
  void refusesSomethingOfTheModelThatIsNoCargo() throws IOException {
    byte[] bytes = bytes(new long[3]);

    assertThatThrownBy(() -> read(bytes, MAX_BYTES)).hasMessageContaining("else than a cargo");
  }

  @Test
  @Tag("nightly")
  void refusesAStreamCutAnywhere() throws IOException {
    byte[] whole = bytes(RandomCargo.of(3, 70));

    for (int length = 0; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> read(cut, MAX_BYTES))
          .as("%,d of %,d bytes", length, whole.length)
          .isInstanceOf(IOException.class);
    }
    assertThatThrownBy(() -> read(new byte[0], MAX_BYTES)).isInstanceOf(EOFException.class);
  }

  @Test
  void refusesRaggedPages() throws IOException {
    long[][] pages = {{1, 2}, {3, 4}, {5}};
    ChangeCargo cargo =
        ChangeCargo.builder(new UUID(1, 2), 3)
            .table("t", table -> table.insert("c", ColumnValues.of(pages)))
            .build();
    pages[1] = new long[] {3};

    assertThatThrownBy(() -> read(bytes(cargo), MAX_BYTES))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("ragged pages: page 1 of 3 has 1 rows");
  }

  @Test
  void refusesArraysBeyondTheLimitBeforeTheyAreAllocated() throws IOException {
    byte[] bytes = bytes(new long[1_000]);
    int lengthAt = bytes.length - 8_000 - Integer.BYTES;
    bytes[lengthAt] = 0x0F; // states 251,659,240 elements, 2 GB, and has 1,000

    assertThatThrownBy(() -> read(bytes, MAX_BYTES))
        .isInstanceOfSatisfying(
            ShipmentException.class, e -> assertThat(e.fault()).isEqualTo(Fault.LIMIT))
        .hasMessageContaining("2,013,273,920 bytes or more; the limit is 104,857,600");
  }

  @Test
  void readsACargoAtItsLimitAndRefusesItOneByteBelow() throws IOException {
    ChangeCargo cargo =
        ChangeCargo.builder(new UUID(1, 2), 3)
            .table("t", t -> t.insert("c", RandomCargo.column(4, ColumnType.LONG, 1_000, false)))
            .build();
    byte[] bytes = bytes(cargo);

    assertThat(CargoDigest.of(read(bytes, bytes.length))).isEqualTo(CargoDigest.of(cargo));
    assertThatThrownBy(() -> read(bytes, bytes.length - 1))
        .isInstanceOf(ShipmentException.class)
        .hasMessageContaining("limit of %,d bytes".formatted(bytes.length - 1));
  }

  @Test
  void unknownNamesAndNumbersAreRefusedWithTheKnownOnes() {
    assertThat(Serializers.ofId(1)).isSameAs(serializer);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Serializers.ofName("javaa"))
        .withMessageContaining("'javaa'")
        .withMessageContaining("java (1)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Serializers.ofId(127))
        .withMessageContaining("127");
  }

  private byte[] bytes(ChangeCargo cargo) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    StreamSerializer.write(serializer, cargo, bytes);
    return bytes.toByteArray();
  }

  private static byte[] bytes(Object object) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    new ObjectOutputStream(bytes).writeObject(object);
    return bytes.toByteArray();
  }

  private ChangeCargo read(byte[] bytes, long maxBytes) throws IOException {
    return StreamSerializer.read(serializer, new ByteArrayInputStream(bytes), maxBytes);
  }
}
