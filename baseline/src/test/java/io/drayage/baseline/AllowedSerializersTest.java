package io.drayage.baseline;

import io.drayage.codec.Serializers;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentHeader;
import io.drayage.receive.CargoReceiver;
import io.drayage.receive.ReceiverLimits;
import io.drayage.testing.Faults;
import io.drayage.transport.RecordingReplies;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Serializers that can build any object are on the class path, and refused all the same. */
class AllowedSerializersTest {
  @ParameterizedTest
  @ValueSource(strings = {"java", "java-buffered", "kryo", "kryo-unsafe", "kryo-tuned", "fory"})
  void refusesSerializerThatIsNotAllowed(String name) {
    try (CargoReceiver receiver =
        new CargoReceiver(cargo -> 1, new ReceiverLimits(1 << 20, 1 << 20, 1), 1)) {
      for (ShipmentHeader.Pipeline pipeline : ShipmentHeader.Pipeline.values()) {
        ShipmentHeader header =
            new ShipmentHeader(new UUID(1, 2), 1, pipeline, Serializers.ofName(name).id(), 1, "w");
        Faults.assertFault(Fault.REFUSED, () -> receiver.accept(header, new RecordingReplies(1)))
            .hasMessageContaining(
                "serializer '%s' is not allowed here, only [columnar, msgpack, raw]", name);
      }
    }
  }
}
