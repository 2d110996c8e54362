package io.drayage.baseline.java;

import static io.drayage.baseline.stream.SerializerChecks.MAX_BYTES;
import static io.drayage.baseline.stream.SerializerChecks.assertRoundTrip;
import static io.drayage.baseline.stream.SerializerChecks.bytes;
import static io.drayage.baseline.stream.SerializerChecks.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.baseline.stream.SerializerChecks;
import io.drayage.baseline.stream.StreamSerializer;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.RandomCargo;
import io.drayage.codec.Serializer;
import io.drayage.codec.Serializers;
import io.drayage.frame.ShipmentException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BufferedJavaSerializerTest {
  private final Serializer serializer = Serializers.ofName("java-buffered");

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 64, 65_537})
  void cargoSurvivesTheRoundTrip(int rows) throws IOException {
    assertRoundTrip(serializer, RandomCargo.of(rows, rows), "seed " + rows);
  }

  @Test
  void writesWhatJavaWrites() throws IOException {
    ChangeCargo cargo = RandomCargo.of(1, 1_000);

    assertThat(bytes(serializer, cargo)).isEqualTo(bytes(Serializers.ofName("java"), cargo));
  }

  @Test
  void asksForWholeBuffers() throws IOException {
    byte[] bytes = bytes(serializer, RandomCargo.of(2, 10_000));
    List<Integer> asked = new ArrayList<>();
    ByteArrayInputStream in =
        new ByteArrayInputStream(bytes) {
          @Override
          public synchronized int read(byte[] target, int offset, int length) {
            asked.add(length);
            return super.read(target, offset, length);
          }

          @Override
          public synchronized int read() {
            throw new AssertionError("a single byte was asked for");
          }
        };

    StreamSerializer.read(serializer, in, MAX_BYTES);

    assertThat(asked).allMatch(length -> length >= 64 << 10);
  }

  @Test
  void refusesBytesBehindTheCargo() throws IOException {
    byte[] bytes = bytes(serializer, RandomCargo.of(5, 5));

    assertThatThrownBy(() -> read(serializer, Arrays.copyOf(bytes, bytes.length + 1), MAX_BYTES))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("behind the cargo");
  }

  @Test
  @Tag("nightly")
  @Timeout(300)
  void refusesAStreamCutAnywhere() throws IOException {
    byte[] bytes = bytes(serializer, RandomCargo.of(3, 20));

    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> read(serializer, cut, MAX_BYTES))
          .as("%,d of %,d bytes", length, bytes.length)
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  @Tag("nightly")
  @Timeout(300)
  void everyFlippedBitIsHarmless() throws IOException {
    SerializerChecks.assertEveryFlipIsHarmless(
        serializer, bytes(serializer, RandomCargo.of(4, 1)), 1 << 20);
  }

  @Test
  void refusesAClassOutsideTheModelAndAStreamBeyondTheLimit() throws IOException {
    ByteArrayOutputStream hostile = new ByteArrayOutputStream();
    new ObjectOutputStream(hostile).writeObject(new ArrayList<>(List.of("a")));
    byte[] cargo = bytes(serializer, RandomCargo.of(6, 100));

    assertThatThrownBy(() -> read(serializer, hostile.toByteArray(), MAX_BYTES))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("java.util.ArrayList");
    assertThatThrownBy(() -> read(serializer, cargo, cargo.length - 1))
        .isInstanceOf(ShipmentException.class);
  }

  @Test
  void formatIsFrozen() throws IOException {
    SerializerChecks.assertGolden(serializer);
  }
}
