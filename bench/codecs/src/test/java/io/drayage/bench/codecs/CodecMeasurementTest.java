package io.drayage.bench.codecs;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.bench.ByteSize;
import io.drayage.bench.progress.LineDisplay;
import io.drayage.bench.published.PublishedFigures;
import io.drayage.bench.result.Status;
import io.drayage.cargo.ChangeCargo;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Combinations that fail are kept with the reason. */
@Tag("ci")
@Timeout(180)
final class CodecMeasurementTest {
  private static final Combination MISSING = new Combination("raw", "rar", null, Form.SEGMENTS);

  private final StringWriter err = new StringWriter();
  @TempDir private Path folder;

  /** Allows other benchmarks on this machine; nothing here depends on time. */
  @BeforeAll
  static void ignoreOtherBenchmarks() {
    System.setProperty("jmh.ignoreLock", "true");
  }

  @Test
  void timesNoFurtherForkOfWhatHasFailed() throws Exception {
    CodecCargo cargo = new CodecCargo("thesis", ByteSize.parse("50KB"), 1);
    CodecTiming timing =
        new CodecTiming(
            Direction.SERIALIZATION,
            cargo,
            new CodecTiming.Repeats(2, 1, 0),
            CodecHeap.of(cargo.source()),
            folder,
            null);

    List<TimingRow> rows = timing.run(List.of(MISSING), new LineDisplay(new PrintWriter(err)));
    assertThat(rows).singleElement().extracting(TimingRow::status).isEqualTo(Status.FAILED);
    assertThat(rows.get(0).error()).contains("'rar' is unknown");
    assertThat(err.toString())
        .contains("[1/2] raw+rar segments: FAILED", "[2/2] raw+rar segments: FAILED before");
  }

  @Test
  void measuresTheSizesOfTheOthers() throws Exception {
    ChangeCargo cargo = ChangeCargo.builder(new UUID(0, 0), 0).build();
    Combination present = new Combination("raw", "none", null, Form.STREAM);
    List<SizeRow> rows =
        new SizeMeasurement(cargo, PublishedFigures.none(), 0)
            .run(List.of(MISSING, present), new LineDisplay(new PrintWriter(err)));
    assertThat(rows).extracting(SizeRow::status).containsExactly(Status.FAILED, Status.OK);
    assertThat(rows.get(0).error()).contains("'rar' is unknown");
  }
}
