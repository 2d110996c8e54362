package io.drayage.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.baseline.stream.StreamSerializer;
import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RandomCargo;
import io.drayage.frame.Fault;
import io.drayage.testing.OnDemand;
import io.drayage.testing.Refusals;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.NotSerializableException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams of cargoes that are too large to be read, or to be in memory when they are written. */
@Timeout(180)
class StreamLimitsTest {
  private static final ChangeCargo IN_MEMORY = RandomCargo.of(1, 3_000);
  private static final int ROWS_PER_PAGE = 1_000;
  private static final long MAX_BYTES = 64 << 20;

  static Stream<Serializer> allButObjectStreams() {
    return Serializers.all().stream().filter(one -> !one.name().startsWith("java"));
  }

  @ParameterizedTest
  @MethodSource("io.drayage.codec.CodecPair#eachCodec")
  void refusesACargoThatIsLargerThanTheReceiverTakes(CodecPair pair) throws Exception {
    ChangeCargo cargo =
        TestContent.ofTable(
                "zeros",
                table -> table.insert("c", ColumnValues.of(new long[][] {new long[200_000]})))
            .cargo();
    StreamTrip trip = new StreamTrip(pair);
    byte[] bytes = trip.write(cargo);
    long limit = 1_000_000;

    Refusals.assertFault(Fault.LIMIT, () -> trip.read(new ByteArrayInputStream(bytes), limit))
        .hasMessageContaining("%,d", limit);
    assertThat(CargoDigest.of(trip.read(new ByteArrayInputStream(bytes), 4_000_000)))
        .isEqualTo(CargoDigest.of(cargo));
  }

  @ParameterizedTest
  @MethodSource("allButObjectStreams")
  void streamsGoPageByPage(Serializer serializer) throws IOException {
    byte[] stream = streamOf(new OnDemand().of(IN_MEMORY, ROWS_PER_PAGE), serializer);
    ChangeCargo arrived =
        StreamSerializer.read(serializer, new ByteArrayInputStream(stream), MAX_BYTES);
    assertThat(CargoDigest.of(arrived)).isEqualTo(CargoDigest.of(IN_MEMORY));
  }

  @ParameterizedTest
  @ValueSource(strings = {"java", "java-buffered"})
  void objectStreamRefusesWhatItWouldHoldWhole(String name) {
    ChangeCargo cargo = new OnDemand().of(IN_MEMORY, ROWS_PER_PAGE);
    assertThatThrownBy(() -> streamOf(cargo, Serializers.ofName(name)))
        .isInstanceOf(NotSerializableException.class)
        .hasMessageContaining("is made on demand: an object stream would hold all of its pages");
  }

  private static byte[] streamOf(ChangeCargo cargo, Serializer serializer) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    StreamSerializer.write(serializer, cargo, out);
    return out.toByteArray();
  }
}
