package io.drayage.baseline.kryo;

import static org.assertj.core.api.Assertions.assertThat;

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
import io.drayage.testing.NewJdk;
import io.drayage.testing.ShipmentHeaders;
import io.drayage.transport.RecordingReplies;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Needs a JDK that can deny memory access through {@code sun.misc.Unsafe}. */
class KryoUnsafeDeniedTest {
  private static final String OPTION = "--sun-misc-unsafe-memory-access=";

  @Test
  void everyUseOfKryoUnsafeSaysWhatHelpsAndTheOthersWork() throws Exception {
    List<String> lines = probe();

    String refusal = "kryo-unsafe cannot run on JDK";
    assertThat(lines)
        .hasSize(12)
        .contains("kryo stream: ok", "kryo segments: ok", "kryo transactor: ok")
        .contains("kryo-tuned stream: ok", "kryo-tuned segments: ok", "kryo-tuned transactor: ok");
    String unsupported = "java.lang.UnsupportedOperationException: " + refusal;
    assertThat(lines.get(4)).startsWith("kryo-unsafe stream: " + unsupported);
    assertThat(lines.get(5)).startsWith("kryo-unsafe read: " + unsupported);
    assertThat(lines.get(6)).startsWith("kryo-unsafe segments: " + unsupported);
    assertThat(lines.get(7)).startsWith("kryo-unsafe transactor: REFUSED: " + refusal);
    assertThat(lines.subList(4, 8)).allMatch(line -> line.contains(OPTION + "allow"));
  }

  private static List<String> probe() throws Exception {
    Process process =
        new ProcessBuilder(
                NewJdk.java().toString(),
                OPTION + "deny",
                "-cp",
                System.getProperty("java.class.path"),
                Probe.class.getName())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(50, TimeUnit.SECONDS)).isTrue();
      return out.lines().toList();
    } finally {
      process.destroyForcibly();
    }
  }

  /** Prints the result of each Kryo, also in a transactor. */
  static final class Probe {
    private Probe() {}

    public static void main(String[] args) {
      ChangeCargo cargo = RandomCargo.of(1, 100);
      for (String name : new String[] {"kryo", "kryo-unsafe", "kryo-tuned"}) {
        Serializer serializer = Serializers.ofName(name);
        print(name, "stream", () -> roundTrip(serializer, cargo));
        print(
            name,
            "read",
            () ->
                StreamSerializer.read(
                    serializer, new ByteArrayInputStream(new byte[0]), 1_000_000));
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
}
