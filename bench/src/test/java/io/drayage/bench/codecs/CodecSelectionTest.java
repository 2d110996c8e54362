package io.drayage.bench.codecs;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.bench.codecs.work.Combination;
import io.drayage.bench.codecs.work.Form;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CodecSelectionTest {
  @Test
  void measuresRawInSegmentsTooUnlessTheUserChooses() {
    assertThat(CodecSelection.of(List.of(), null, false).combinations())
        .contains(new Combination("raw", "none", null, Form.SEGMENTS));
    assertThat(CodecSelection.of(List.of(), Form.STREAM, false).combinations())
        .allMatch(combination -> combination.form() == Form.STREAM);
  }

  @Test
  void measuresKryoASecondTimeWithoutItsFlushes() {
    assertThat(CodecSelection.of(List.of("kryo+lz4", "java+lz4"), null, true).combinations())
        .extracting(Combination::toString)
        .containsExactly("kryo+lz4", "java+lz4", "kryo+lz4 no-flush");
  }

  @Test
  void measuresACodecThatIsNamedTwiceOnce() {
    assertThat(CodecSelection.of(List.of("raw+none", "raw+none"), null, false).combinations())
        .hasSize(1);
  }

  @Test
  void timesSegmentsOnceForEachCountOfThreadsNextToEachOther() {
    CodecSelection selection =
        CodecSelection.of(List.of("raw+zstd:3", "raw+lz4"), Form.SEGMENTS, false);
    assertThat(selection.onThreads(List.of(1, 2, 1)).forTiming().combinations())
        .extracting(Combination::toString)
        .containsExactly(
            "java+none", "copy", "raw+zstd:3@1", "raw+zstd:3@2", "raw+lz4@1", "raw+lz4@2");
    assertThat(selection.onThreads(List.of()).combinations())
        .allMatch(combination -> combination.threads() == null);
  }

  @Test
  void timesTheBaselineFirstAndACopyBeforeSegments() {
    List<String> codec = List.of("raw+none");
    assertThat(CodecSelection.of(codec, Form.STREAM, false).forTiming().combinations())
        .extracting(Combination::toString)
        .containsExactly("java+none", "raw+none");
    assertThat(CodecSelection.of(codec, Form.SEGMENTS, false).forTiming().combinations())
        .extracting(Combination::toString)
        .containsExactly("java+none", "copy", "raw+none segments");
  }
}
