package io.drayage.bench.codecs.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.codec.Compressors;
import io.drayage.codec.Serializers;
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
}
