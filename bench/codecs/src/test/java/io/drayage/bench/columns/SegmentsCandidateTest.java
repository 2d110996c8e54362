package io.drayage.bench.columns;

import static io.drayage.internal.Texts.format;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ColumnValues;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class SegmentsCandidateTest {
  private static ColumnSample texts(String... texts) throws IOException {
    return SampleColumns.of("s", ColumnValues.ofTexts(new String[][] {texts}), Long.MAX_VALUE);
  }

  private static Candidate candidate(String name) {
    return SegmentsCandidate.all().stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void everyCodecGivesTextsBack() throws Exception {
    List<ColumnSample> samples =
        List.of(
            texts("", "a", "ä€😀", "", "x".repeat(300), "\u0000ÿþ"),
            texts((String) null),
            texts(null, "", null, "b"));
    for (Candidate candidate : SegmentsCandidate.all()) {
      try (candidate) {
        for (ColumnSample sample : samples) {
          assertThat(candidate.take(sample)).isNull();
          candidate.verify();
          assertThat(candidate.pass(2).bytes()).isPositive();
        }
      }
    }
  }

  @Test
  void compressorsGetTextsInTheFormThatBecomesSmaller() throws Exception {
    String[] sameLength =
        IntStream.range(0, 5_000)
            .mapToObj(i -> format("%08x", i * 77_773_777))
            .toArray(String[]::new);
    try (Candidate zstd = candidate("zstd:3")) {
      assertThat(zstd.take(texts(sameLength))).isNull();
      assertThat(zstd.encodings().keySet()).containsExactly("lengths");
      // Fewer than with the four bytes of each length in a cargo.
      assertThat(zstd.pass(1).bytes()).isLessThan(9L * sameLength.length);
      String[] words =
          IntStream.range(0, 5_000).mapToObj(i -> "a".repeat(i % 13)).toArray(String[]::new);
      assertThat(zstd.take(texts(words))).isNull();
      assertThat(zstd.encodings().keySet()).containsAnyOf("lines", "lengths");
    }
  }
}
