package io.drayage.cli.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.drayage.bench.codecs.RecordedIterations;
import io.drayage.cli.CommandFixture;
import io.drayage.internal.Texts;
import io.drayage.profiling.ProfilerEvent;
import io.drayage.profiling.ProfilerException;
import io.drayage.profiling.ProfilerOffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs the whole commands, with real processes and a tiny cargo. */
@Tag("ci")
@Timeout(300)
final class TimingCommandTest extends CommandFixture {
  private static final List<String> FIGURES =
      List.of("medianS", "rawMBps", "score", "ofCopy", "allocBytesPerSegment");

  /** Other measurements may run on this machine; no result here depends on time. */
  @BeforeAll
  static void needNoMachineForItself() {
    System.setProperty("jmh.ignoreLock", "true");
  }

  private JsonNode measured(String line) throws Exception {
    Path json = folder.resolve("result.json");
    said(0, line + " --size=50KB --form=segments --warmup=0 --json=~/result.json --out=~/kept");
    JsonNode result = json(json);
    int rows = result.get("summary").size();
    assertThat(lines().get(0)).startsWith("codec").contains("of copy", "alloc");
    assertThat(lastLine()).contains(Texts.format("%1$d of %1$d ok, digests equal", rows));
    assertThat(errors()).hasSize(1 + rows + 1);
    assertThat(errors().get(rows + 1)).isEqualTo("kept in " + folder.resolve("kept/run.json"));
    assertThat(folder.resolve("kept/run.json")).hasSameTextualContentAs(json);
    return result;
  }

  @Test
  void timesSegmentsBesideTheBaselineAndACopy() throws Exception {
    JsonNode result = measured("deserialization --codec=raw+none --iterations=1 --alloc");

    assertThat(result.get("schema").asInt()).isEqualTo(1);
    assertThat(result.get("config").get("measured").get("iterations").asInt()).isEqualTo(1);
    assertThat(result.get("summary")).hasSize(3);
    JsonNode row = result.get("summary").get(2);
    assertThat(row.get("serializer").asText()).isEqualTo("raw");
    assertThat(row.get("form").asText()).isEqualTo("segments");
    assertThat(row.get("publishedScore").isNull()).isTrue();
    assertThat(row.get("timesS")).hasSize(1);
    for (String figure : FIGURES) {
      assertThat(row.get(figure).asDouble()).as(figure).isPositive();
    }
    assertThat(folder.resolve("kept/logs/3-raw-none-segments.log")).isNotEmptyFile();
  }

  @Test
  @Tag("nightly")
  void timesSegmentsWithOneAndTwoThreads() throws Exception {
    JsonNode result =
        measured("serialization --codec=raw+lz4 --threads=1,2 --iterations=2 --alloc");

    assertThat(result.get("config").get("measured").get("threads")).hasSize(2);
    JsonNode rows = result.get("summary");
    assertThat(rows).hasSize(4);
    assertThat(rows.get(1).get("threads").isNull()).isTrue();
    assertThat(rows.get(2).get("threads").asInt()).isEqualTo(1);
    assertThat(rows.get(2).get("ofOneThread").asDouble()).isEqualTo(1);
    assertThat(rows.get(3).get("threads").asInt()).isEqualTo(2);
    assertThat(rows.get(3).get("ofOneThread").asDouble()).isPositive();
    assertThat(rows.get(3).get("bytes")).isEqualTo(rows.get(2).get("bytes"));
  }

  @Test
  @Tag("nightly")
  void leavesFlameGraphsOfWhatItMeasured() throws Exception {
    String problem = null;
    try {
      Map<ProfilerEvent, String> refused =
          ProfilerOffer.of(RecordedIterations.EVENTS, true).refused();
      problem = refused.isEmpty() ? null : refused.toString();
    } catch (ProfilerException e) {
      problem = e.getMessage();
    }
    assumeTrue(problem == null, problem);

    said(0, "serialization --codec=java --size=8MB --iterations=1 --warmup=0 --profile --out=~");
    Path flames = folder.resolve("flames");
    assertThat(flames.resolve("serialization-java-none.jfr")).isNotEmptyFile();
    assertThat(flames.resolve("serialization-java-none-cpu.html"))
        .content()
        .contains("jmh worker]");
  }
}
