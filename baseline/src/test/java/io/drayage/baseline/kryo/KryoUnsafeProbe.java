package io.drayage.baseline.kryo;

import io.drayage.baseline.stream.SerializerChecks;
import io.drayage.baseline.stream.StreamSerializer;
import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.RandomCargo;
import io.drayage.codec.Serializer;
import io.drayage.codec.Serializers;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.receive.CargoReceiver;
import io.drayage.receive.ReceiverLimits;
import io.drayage.testing.ShipmentHeaders;
import io.drayage.transport.RecordingReplies;
import java.io.ByteArrayInputStream;
import java.util.concurrent.Callable;

/** The main class of a JVM of its own: prints the result of each Kryo, also in a transactor. */
final class KryoUnsafeProbe {
  private KryoUnsafeProbe() {}

  public static void main(String[] args) {
    ChangeCargo cargo = RandomCargo.of(1, 100);
    for (String name : new String[] {"kryo", "kryo-unsafe", "kryo-tuned"}) {
      Serializer serializer = Serializers.ofName(name);
      print(name, "stream", () -> roundTrip(serializer, cargo));
      print(
          name,
          "read",
          () ->
              StreamSerializer.read(serializer, new ByteArrayInputStream(new byte[0]), 1_000_000));
      print(name, "segments", () -> serializer.newSegmentSerializer() == null ? "null" : "ok");
      print(name, "transactor", () -> accept(serializer, cargo));
    }
  }

  private static void print(String name, String use, Callable<Object> call) {
    String result;
    try {
      result = call.call().toString();
    } catch (ShipmentException e) {
      result = e.fault() + ": " + e.getMessage();
    } catch (Exception | LinkageError e) {
      result = e.toString();
    }
    System.out.printf("%s %s: %s%n", name, use, result);
  }

  private static Object roundTrip(Serializer serializer, ChangeCargo cargo) throws Exception {
    byte[] bytes = SerializerChecks.bytes(serializer, cargo);
    ChangeCargo read = SerializerChecks.read(serializer, bytes, SerializerChecks.MAX_BYTES);
    return CargoDigest.of(read) == CargoDigest.of(cargo) ? "ok" : "another cargo";
  }

  private static Object accept(Serializer serializer, ChangeCargo cargo) throws Exception {
    ShipmentHeader header =
        ShipmentHeaders.of(
            cargo.transactionId(),
            cargo.baseSnapshot(),
            ShipmentHeader.Pipeline.SEGMENTS,
            serializer.id(),
            1,
            "probe");
    ReceiverLimits limits = ReceiverLimits.ofHeap().allowing(serializer);
    try (CargoReceiver receiver = new CargoReceiver(c -> 1, limits, 1)) {
      return receiver.accept(header, new RecordingReplies(1)) == null ? "null" : "ok";
    }
  }
}
