package io.drayage.columnar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Replays the fuzzer's seeds and findings. This command writes missing seeds, which are replayed
 * from the next build on:
 *
 * <pre>mvn test -pl columnar -am -Dtest=FuzzCorpusTest -Ddrayage.golden.write=true \
 *     -Dsurefire.failIfNoSpecifiedTests=false</pre>
 */
class FuzzCorpusTest {
  private static final long SEED = 20_261_128;
  private static final Path SEEDS =
      Path.of("src/test/resources/io/drayage/columnar/ColumnarDecoderFuzzInputs/decode");

  static List<Path> corpus() throws Exception {
    Path folder = Path.of(FuzzCorpusTest.class.getResource("ColumnarDecoderFuzzInputs").toURI());
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  @Test
  void theCorpusIsThere() throws Exception {
    if (Boolean.getBoolean("drayage.golden.write")) {
      FuzzSeeds.writeMissing(SEEDS);
    }
    assertThat(corpus()).hasSizeGreaterThan(40);
  }

  @ParameterizedTest
  @MethodSource("corpus")
  void everyInputIsRefusedOrUnderstood(Path file) throws Exception {
    byte[] input = Files.readAllBytes(file);
    FuzzedSegment.decode(input);
    decodeChanged(file, input, 8);
  }

  @Tag("ci")
  @ParameterizedTest
  @MethodSource("corpus")
  void everyChangedInputIsRefusedOrUnderstood(Path file) throws Exception {
    decodeChanged(file, Files.readAllBytes(file), 100);
  }

  private static void decodeChanged(Path file, byte[] input, int rounds) {
    Random random = new Random(SEED);
    for (int round = 0; round < rounds; round++) {
      byte[] changed = input.clone();
      for (int change = random.nextInt(3); change >= 0; change--) {
        changed[random.nextInt(changed.length)] = (byte) random.nextInt();
      }
      assertThatCode(() -> FuzzedSegment.decode(changed))
          .as("%s, round %d, seed %d", file.getFileName(), round, SEED)
          .doesNotThrowAnyException();
    }
  }
}
