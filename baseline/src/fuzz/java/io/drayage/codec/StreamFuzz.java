package io.drayage.codec;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.RandomCargo;
import io.drayage.frame.ShipmentException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Searches for streams that a reader neither refuses nor understands. The first byte selects the
 * serializer and the compressor:
 *
 * <pre>mvn -Pfuzz test -pl baseline -am -Dtest=StreamFuzz -Dsurefire.failIfNoSpecifiedTests=false
 * </pre>
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class StreamFuzz {
  private static final List<CodecPair> PAIRS = CodecPair.eachCodec();

  static Stream<byte[]> seeds() {
    return PAIRS.stream().map(StreamFuzz::seed);
  }

  private static byte[] seed(CodecPair pair) {
    try {
      byte[] stream = new StreamTrip(pair).write(RandomCargo.of(1, 20));
      byte[] seed = new byte[stream.length + 1];
      seed[0] = (byte) PAIRS.indexOf(pair);
      System.arraycopy(stream, 0, seed, 1, stream.length);
      return seed;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @MethodSource("seeds")
  @FuzzTest(maxDuration = "3m")
  void stream(byte[] input) throws IOException {
    if (input.length == 0) {
      return;
    }
    StreamTrip trip = new StreamTrip(PAIRS.get((input[0] & 0xFF) % PAIRS.size()));
    ChangeCargo cargo;
    try {
      cargo = trip.read(new ByteArrayInputStream(input, 1, input.length - 1), 1 << 20);
    } catch (ShipmentException e) {
      if (String.valueOf(e.getMessage()).isBlank()) {
        throw new AssertionError("refused without a reason", e);
      }
      return;
    } catch (IOException e) {
      return;
    }
    if (CargoDigest.of(trip.carry(cargo)) != CargoDigest.of(cargo)) {
      throw new AssertionError("it becomes another cargo when it is written and read again");
    }
  }
}
