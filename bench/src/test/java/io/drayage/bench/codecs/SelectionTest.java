package io.drayage.bench.codecs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class SelectionTest {
  private final CodecOptions options = new CodecOptions();

  @Test
  void measuresRawInSegmentsTooUnlessTheUserChooses() {
    assertThat(Selection.of(options).combinations())
        .contains(new Combination("raw", "none", null, Form.SEGMENTS));
    options.form = Form.STREAM;
    assertThat(Selection.of(options).combinations())
        .allMatch(combination -> combination.form() == Form.STREAM);
  }

  @Test
  void measuresKryoASecondTimeWithoutItsFlushes() {
    options.codecs = List.of("kryo+lz4", "java+lz4");
    options.withoutFlush = true;
    assertThat(Selection.of(options).combinations())
        .extracting(Combination::toString)
        .containsExactly("kryo+lz4", "java+lz4", "kryo+lz4 no-flush");
  }

  @Test
  void measuresWhatIsNamedTwiceOnce() {
    options.codecs = List.of("raw+none", "raw+none");
    assertThat(Selection.of(options).combinations()).hasSize(1);
  }

  @Test
  void timesSegmentsOnceForEachCountOfThreadsNextToEachOther() {
    options.codecs = List.of("raw+zstd:3", "raw+lz4");
    options.form = Form.SEGMENTS;
    assertThat(Selection.of(options).onThreads(List.of(1, 2, 1)).forTiming().combinations())
        .extracting(Combination::toString)
        .containsExactly(
            "java+none", "copy", "raw+zstd:3@1", "raw+zstd:3@2", "raw+lz4@1", "raw+lz4@2");
    assertThat(Selection.of(options).onThreads(List.of()).combinations())
        .allMatch(combination -> combination.threads() == null);
  }

  @Test
  void timesTheBaselineFirstAndACopyBeforeSegments() {
    options.codecs = List.of("raw+none");
    assertThat(Selection.of(options).forTiming().combinations())
        .extracting(Combination::toString)
        .containsExactly("java+none", "raw+none");
    options.form = Form.SEGMENTS;
    assertThat(Selection.of(options).forTiming().combinations())
        .extracting(Combination::toString)
        .containsExactly("java+none", "copy", "raw+none segments");
  }
}
