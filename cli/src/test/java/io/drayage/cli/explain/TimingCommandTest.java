package io.drayage.cli.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.drayage.bench.codecs.RecordedIterations;
import io.drayage.cli.CommandRun;
import io.drayage.profiling.ProfilerEvent;
import io.drayage.profiling.ProfilerException;
import io.drayage.profiling.ProfilerOffer;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The whole commands, with real processes and a tiny cargo. */
@Tag("ci")
@Timeout(300)
final class TimingCommandTest {
  @TempDir private Path folder;

  /** Others may be measuring on this machine; here nothing depends on time. */
  @BeforeAll
  static void needNoMachineForItself() {
    System.setProperty("jmh.ignoreLock", "true");
  }

  @Test
  void timesACodecBesideTheBaseline() throws Exception {
    Path json = folder.resolve("result.json");
    CommandRun run =
        CommandRun.of(
            "deserialization",
            "--size=50KB",
            "--codec=raw+none",
            "--iterations=1",
            "--warmup=0",
            "--out=" + folder.resolve("kept"),
            "--json=" + json);

    assertThat(run.code()).as(run.toString()).isZero();
    assertThat(run.lastLine()).contains("2 of 2 ok, digests equal");
    JsonNode row = CommandRun.json(json).get("summary").get(1);
    assertThat(row.get("serializer").asText()).isEqualTo("raw");
    assertThat(row.get("medianS").asDouble()).isPositive();
    assertThat(row.get("score").asDouble()).isPositive();
    assertThat(row.get("timesS")).hasSize(1);
  }

  @ParameterizedTest
  @Tag("nightly")
  @ValueSource(strings = {"serialization", "deserialization"})
  void timesSegmentsBesideTheBaselineAndACopy(String command) throws Exception {
    Path json = folder.resolve("result.json");
    CommandRun run =
        CommandRun.of(
            command,
            "--size=50KB",
            "--codec=raw+none",
            "--form=segments",
            "--iterations=2",
            "--warmup=1",
            "--alloc",
            "--out=" + folder.resolve("kept"),
            "--json=" + json);

    assertThat(run.code()).as(run.toString()).isZero();
    assertThat(run.out().get(0)).startsWith("codec").contains("of copy", "alloc");
    assertThat(run.lastLine()).contains("3 of 3 ok, digests equal");
    assertThat(run.err()).hasSize(5);
    assertThat(run.err().get(3)).startsWith("[3/3] raw+none segments: ");
    assertThat(run.err().get(4)).isEqualTo("kept in " + folder.resolve("kept/run.json"));

    JsonNode result = CommandRun.json(json);
    assertThat(result.get("schema").asInt()).isEqualTo(1);
    assertThat(result.get("config").get("measured").get("iterations").asInt()).isEqualTo(2);
    JsonNode row = result.get("summary").get(2);
    assertThat(row.get("serializer").asText()).isEqualTo("raw");
    assertThat(row.get("form").asText()).isEqualTo("segments");
    assertThat(row.get("medianS").asDouble()).isPositive();
    assertThat(row.get("rawMBps").asDouble()).isPositive();
    assertThat(row.get("score").asDouble()).isPositive();
    assertThat(row.get("publishedScore").isNull()).isTrue();
    assertThat(row.get("ofCopy").asDouble()).isPositive();
    assertThat(row.get("timesS")).hasSize(2);
    assertThat(row.get("allocBytesPerSegment").asLong()).isPositive();
    assertThat(folder.resolve("kept/run.json")).hasSameTextualContentAs(json);
    assertThat(folder.resolve("kept/logs/3-raw-none-segments.log")).isNotEmptyFile();
  }

  @Test
  @Tag("nightly")
  void timesSegmentsWithOneAndTwoThreads() throws Exception {
    Path json = folder.resolve("result.json");
    CommandRun run =
        CommandRun.of(
            "serialization",
            "--size=50KB",
            "--codec=raw+lz4",
            "--form=segments",
            "--threads=1,2",
            "--iterations=1",
            "--warmup=0",
            "--out=" + folder.resolve("kept"),
            "--json=" + json);

    assertThat(run.code()).as(run.toString()).isZero();
    assertThat(run.lastLine()).contains("4 of 4 ok, digests equal");
    JsonNode result = CommandRun.json(json);
    assertThat(result.get("config").get("measured").get("threads")).hasSize(2);
    JsonNode rows = result.get("summary");
    assertThat(rows.get(1).get("threads").isNull()).isTrue();
    assertThat(rows.get(2).get("threads").asInt()).isEqualTo(1);
    assertThat(rows.get(2).get("ofOneThread").asDouble()).isEqualTo(1);
    assertThat(rows.get(3).get("threads").asInt()).isEqualTo(2);
    assertThat(rows.get(3).get("ofOneThread").asDouble()).isPositive();
    assertThat(rows.get(3).get("bytes")).isEqualTo(rows.get(2).get("bytes"));
  }

  @ParameterizedTest
  @CsvSource({
    "--form=stream, --threads=2, add --form segments",
    "--without-flush, --threads=2, add --form segments",
    "--form=segments, --threads=0, 'must be 1 to 1,024, not 0'",
    "--form=segments, '--threads=1,1025', 'must be 1 to 1,024, not 1,025'",
    "--form=segments, --threads=two, two",
  })
  void refusesThreadsThatItCannotMeasure(String option, String threads, String reason) {
    CommandRun run = CommandRun.of("serialization", "--codec=raw+lz4", option, threads);
    assertThat(run.code()).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(run.err()).anySatisfy(line -> assertThat(line).contains(reason));
    assertThat(run.out()).isEmpty();
  }

  @Test
  @Tag("nightly")
  @Timeout(300)
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

    CommandRun run =
        CommandRun.of(
            "serialization",
            "--codec=java",
            "--size=8MB",
            "--iterations=1",
            "--warmup=0",
            "--profile",
            "--out=" + folder);

    assertThat(run.code()).as(String.valueOf(run.err())).isZero();
    Path flames = folder.resolve("flames");
    assertThat(flames.resolve("serialization-java-none.jfr")).isNotEmptyFile();
    assertThat(flames.resolve("serialization-java-none-cpu.html"))
        .content()
        .contains("jmh worker]");
  }
}
