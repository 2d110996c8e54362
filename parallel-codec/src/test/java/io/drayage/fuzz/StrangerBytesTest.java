package io.drayage.fuzz;

import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Valid inputs, changed at random: fuzzing in every build, without the fuzzer. */
@Timeout(300)
class StrangerBytesTest {
  private static final long SEED = 20_261_123;

  /** Numbers that readers may get wrong. */
  private static final int[] EXTREMES = {0, 1, -1, Integer.MAX_VALUE, Integer.MIN_VALUE, 1 << 20};

  @ParameterizedTest
  @EnumSource
  void goodAndBrokenInputsAreRefusedOrUnderstood(StrangerBytes reader) throws Exception {
    tryOut(reader, reader == StrangerBytes.SHIPMENT ? 300 : 5_000);
  }

  @Tag("nightly")
  @ParameterizedTest
  @EnumSource
  void millionsOfBrokenInputsAreRefusedOrUnderstood(StrangerBytes reader) throws Exception {
    tryOut(reader, reader == StrangerBytes.SHIPMENT ? 10_000 : 400_000);
  }

  private static void tryOut(StrangerBytes reader, int rounds) throws Exception {
    List<byte[]> seeds = reader.seeds();
    seeds.forEach(reader::accept);
    Random random = new Random(SEED);
    for (int round = 0; round < rounds; round++) {
      byte[] input = changed(seeds.get(random.nextInt(seeds.size())), random);
      assertThatCode(() -> reader.accept(input))
          .as("%s, round %d: %s", reader, round, HexFormat.of().formatHex(input))
          .doesNotThrowAnyException();
    }
  }

  private static byte[] changed(byte[] seed, Random random) {
    byte[] input = random.nextInt(8) == 0 ? cut(seed, random) : seed.clone();
    for (int change = random.nextInt(4); change >= 0 && input.length >= 8; change--) {
      int at = random.nextInt(input.length - 4);
      if (random.nextBoolean()) {
        input[at] = (byte) random.nextInt();
      } else {
        int extreme = EXTREMES[random.nextInt(EXTREMES.length)];
        for (int i = 0; i < 4; i++) {
          input[at + i] = (byte) (extreme >>> (8 * i));
        }
      }
    }
    return input;
  }

  private static byte[] cut(byte[] seed, Random random) {
    byte[] input = new byte[random.nextInt(seed.length + 1)];
    System.arraycopy(seed, 0, input, 0, input.length);
    return input;
  }
}
