package io.drayage.baseline;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.baseline.stream.StreamPipeline;
import io.drayage.codec.Serializers;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.receive.AllowedCodecs;
import io.drayage.receive.CargoReceiver;
import io.drayage.receive.PipelineReceivers;
import io.drayage.receive.ReceiverLimits;
import io.drayage.testing.Refusals;
import io.drayage.testing.ShipmentHeaders;
import io.drayage.transport.RecordingReplies;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A node that finds this module on its class path. */
class InstalledTest {
  /** Frozen: cargoes were written with these numbers. */
  @ParameterizedTest
  @CsvSource({
    "java, 1",
    "raw, 2",
    "kryo, 3",
    "kryo-unsafe, 4",
    "kryo-tuned, 5",
    "msgpack, 6",
    "java-buffered, 7",
    "columnar, 9"
  })
  void serializersKeepTheirNumbers(String name, int id) {
    assertThat(Serializers.ofName(name).id()).isEqualTo(id);
    assertThat(Serializers.ofId(id).name()).isEqualTo(name);
  }

  @Test
  void onlySerializersThatReadDataAreAllowedByDefault() {
    assertThat(AllowedCodecs.DATA_ONLY.serializers())
        .containsExactlyInAnyOrder("raw", "columnar", "msgpack");
  }

  @ParameterizedTest
  @ValueSource(strings = {"java", "java-buffered", "kryo", "kryo-unsafe", "kryo-tuned"})
  void refusesASerializerThatIsNotAllowed(String name) {
    try (CargoReceiver receiver =
        new CargoReceiver(cargo -> 1, new ReceiverLimits(1 << 20, 1 << 20, 1), 1)) {
      for (ShipmentHeader.Pipeline pipeline : ShipmentHeader.Pipeline.values()) {
        ShipmentHeader header =
            ShipmentHeaders.of(new UUID(1, 2), 1, pipeline, Serializers.ofName(name).id(), 1, "w");
        Refusals.assertFault(Fault.REFUSED, () -> receiver.accept(header, new RecordingReplies(1)))
            .hasMessageContaining(
                "serializer '%s' is not allowed here, only [columnar, msgpack, raw]", name);
      }
    }
  }

  @Test
  void streamsAreReceived() throws ShipmentException {
    assertThat(PipelineReceivers.installed().of(ShipmentHeader.Pipeline.STREAM))
        .isInstanceOf(StreamPipeline.class);
  }
}
