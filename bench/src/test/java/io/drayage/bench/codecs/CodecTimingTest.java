package io.drayage.bench.codecs;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.bench.codecs.work.Combination;
import io.drayage.bench.codecs.work.Direction;
import io.drayage.bench.codecs.work.Form;
import io.drayage.bench.progress.LineDisplay;
import io.drayage.bench.result.Status;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class CodecTimingTest {
  @TempDir private Path folder;

  /** Others may be measuring on this machine; here nothing depends on time. */
  @BeforeAll
  static void ignoreOtherBenchmarks() {
    System.setProperty("jmh.ignoreLock", "true");
  }

  @Test
  void keepsAFailedCombinationWithTheReason() throws Exception {
    CodecConfig.Cargo cargo = new CodecConfig.Cargo("thesis", "50KB", 50_000, 1);
    CodecTiming timing =
        new CodecTiming(
            Direction.SERIALIZATION,
            cargo,
            new CodecTiming.Repeats(2, 1, 0),
            CodecHeap.of(cargo.source()),
            folder,
            null);
    Combination missing = new Combination("raw", "rar", null, Form.SEGMENTS);

    StringWriter err = new StringWriter();
    List<TimingRow> rows = timing.run(List.of(missing), new LineDisplay(new PrintWriter(err)));
    assertThat(rows)
        .singleElement()
        .satisfies(row -> assertThat(row.status()).isEqualTo(Status.FAILED))
        .satisfies(row -> assertThat(row.error()).contains("'rar' is unknown"));
    assertThat(err.toString())
        .contains("[1/2] raw+rar segments: FAILED", "[2/2] raw+rar segments: FAILED before");
  }
}
