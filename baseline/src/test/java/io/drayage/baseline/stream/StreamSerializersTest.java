package io.drayage.baseline.stream;

import static io.drayage.baseline.stream.SerializerChecks.bytes;
import static io.drayage.baseline.stream.SerializerChecks.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RandomCargo;
import io.drayage.codec.Serializer;
import io.drayage.codec.Serializers;
import io.drayage.testing.SpareRows;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Common properties of all serializers of whole cargoes, besides carrying them. */
class StreamSerializersTest {
  static Stream<Serializer> serializers() {
    return Serializers.all().stream().filter(StreamSerializer.class::isInstance);
  }

  @ParameterizedTest
  @MethodSource("serializers")
  void spareRowsTravelAlong(Serializer serializer) throws IOException {
    ChangeCargo cargo = SpareRows.of(RandomCargo.of(7, 1_000), 300);

    ChangeCargo read = read(serializer, bytes(serializer, cargo), SerializerChecks.MAX_BYTES);

    assertThat(CargoDigest.of(read)).as("seed 7").isEqualTo(CargoDigest.of(cargo));
    ColumnValues values = read.tables().get(0).insertedColumns().get(0).values();
    assertThat(values.rowsInPage(3)).isEqualTo(100);
    assertThat(ColumnType.rowsOf(values.page(3))).isEqualTo(300);
  }

  @ParameterizedTest
  @ValueSource(strings = {"java-buffered", "kryo", "kryo-unsafe", "kryo-tuned", "msgpack"})
  void whoReadsAheadRefusesBytesBehindTheCargo(String name) throws IOException {
    Serializer serializer = Serializers.ofName(name);
    byte[] bytes = bytes(serializer, RandomCargo.of(5, 5));
    byte[] more = Arrays.copyOf(bytes, bytes.length + 1);

    assertThatThrownBy(() -> read(serializer, more, SerializerChecks.MAX_BYTES))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("bytes behind the cargo");
  }

  @ParameterizedTest
  @MethodSource("serializers")
  void doesNotCloseTheStream(Serializer serializer) throws IOException {
    ByteArrayOutputStream open =
        new ByteArrayOutputStream() {
          @Override
          public void close() {
            throw new AssertionError("the stream was closed");
          }
        };

    StreamSerializer.write(serializer, RandomCargo.of(1, 1), open);

    assertThat(open.size()).isPositive();
  }

  @ParameterizedTest
  @MethodSource("serializers")
  void formatIsFrozen(Serializer serializer) throws IOException {
    SerializerChecks.assertGolden(serializer);
  }
}
