package io.drayage.bench.codecs;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.bench.published.PublishedFigures;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PublishedFiguresTest {
  private static final Combination JAVA = new Combination("java", "none", null, Form.STREAM);

  @ParameterizedTest
  @CsvSource({
    "size.csv, serialized_MB, 100000000, 108.0",
    "size.csv, serialized_MB, 100000000000, 101000.0",
    "serialization.csv, runtime_s, 100000000, 0.108",
    "deserialization.csv, runtime_s, 100000000, 0.122",
  })
  void readsWhatTheBuildHasPackaged(String file, String column, long sizeBytes, double figure) {
    assertThat(JAVA.published(PublishedFigures.of(file, column), sizeBytes)).isEqualTo(figure);
  }

  @Test
  void knowsNothingOfOtherSizesAndForms() {
    PublishedFigures figures = PublishedFigures.of("size.csv", "serialized_MB");
    assertThat(JAVA.published(figures, 200_000_000)).isNull();
    assertThat(JAVA.in(Form.SEGMENTS).published(figures, 100_000_000)).isNull();
    assertThat(JAVA.in(Form.NO_FLUSH).published(figures, 100_000_000)).isNull();
  }

  @Test
  void knowsTheSizesOfTheInputs() {
    assertThat(PublishedFigures.inputMegabytes(1_000_000_000)).isEqualTo(1005);
    assertThat(PublishedFigures.inputMegabytes(1_000_000_001)).isNull();
  }
}
