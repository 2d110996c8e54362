package io.drayage.bench.codecs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.codec.Compressors;
import io.drayage.codec.Serializers;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CombinationTest {
  @ParameterizedTest
  @ValueSource(strings = {"java+none", "raw+none"})
  void readsWhatItWrites(String text) {
    assertThat(Combination.parse(text))
        .singleElement()
        .satisfies(combination -> assertThat(combination.toString()).isEqualTo(text))
        .satisfies(combination -> assertThat(combination.form()).isEqualTo(Form.STREAM));
  }

  @Test
  void readsHalfACodecAsAllThatHaveIt() {
    assertThat(Combination.parse("raw"))
        .hasSameSizeAs(Compressors.all())
        .allMatch(combination -> combination.serializer().equals("raw"));
    assertThat(Combination.parse("+none"))
        .hasSameSizeAs(Serializers.all())
        .allMatch(combination -> combination.compressor().equals("none"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''|such as kryo+lz4",
        "raw+none@2|such as kryo+lz4",
        "raw+none+none|such as kryo+lz4",
        "raw+|such as kryo+lz4",
        "xml+none|serializer 'xml' is unknown",
        "raw+rar|compressor 'rar' is unknown",
        "raw+none:1|no levels",
      })
  void rejectsWhatIsNoCodec(String text, String hint) {
    assertThatThrownBy(() -> Combination.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(hint);
  }

  @Test
  void allCombinationsBeginWithTheStudys() {
    assertThat(Combination.all())
        .startsWith(Combination.study().toArray(Combination[]::new))
        .doesNotHaveDuplicates()
        .hasSize(Serializers.all().size() * Compressors.all().size());
  }

  private static List<String> timed(List<String> codecs, Form form, List<Integer> threads) {
    return CodecSelection.forTiming(CodecSelection.of(codecs, form, false), threads).stream()
        .map(Combination::toString)
        .toList();
  }

  @Test
  void measuresRawInSegmentsTooUnlessTheUserChooses() {
    assertThat(CodecSelection.of(List.of(), null, false))
        .contains(new Combination("raw", "none", null, Form.SEGMENTS))
        .hasSize((Serializers.all().size() + 1) * Compressors.all().size());
    assertThat(CodecSelection.of(List.of(), Form.STREAM, false))
        .allMatch(combination -> combination.form() == Form.STREAM);
  }

  @Test
  void measuresKryoASecondTimeWithoutItsFlushesAndWhatIsNamedTwiceOnce() {
    assertThat(CodecSelection.of(List.of("kryo+lz4", "java+lz4", "java+lz4"), null, true))
        .extracting(Combination::toString)
        .containsExactly("kryo+lz4", "java+lz4", "kryo+lz4 no-flush");
  }

  @Test
  void timesTheBaselineFirstAndACopyBeforeSegments() {
    assertThat(timed(List.of("raw+none"), Form.STREAM, List.of()))
        .containsExactly("java+none", "raw+none");
    assertThat(timed(List.of("raw+none"), Form.SEGMENTS, List.of()))
        .containsExactly("java+none", "copy", "raw+none segments");
  }

  @Test
  void timesSegmentsOnceForEachCountOfThreadsNextToEachOther() {
    assertThat(timed(List.of("raw+zstd:3", "raw+lz4"), Form.SEGMENTS, List.of(1, 2, 1)))
        .containsExactly(
            "java+none", "copy", "raw+zstd:3@1", "raw+zstd:3@2", "raw+lz4@1", "raw+lz4@2");
  }
}
