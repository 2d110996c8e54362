package io.drayage.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.bench.report.KeptRuns;
import io.drayage.cli.CommandFixture;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class ReportCommandTest extends CommandFixture {
  private int run(Object... args) {
    return run(Stream.of(args).map(Object::toString).toArray(String[]::new));
  }

  @Test
  void writesThePageOfOneRunBesideIt() throws Exception {
    Path kept = KeptRuns.keep(folder.resolve("one"), "loopback", KeptRuns.runs());
    Path logs = Files.createDirectories(kept.resolve("logs"));
    Files.writeString(logs.resolve("a:b.log"), "of somebody else");
    assertThat(run("report", kept)).as(err.toString()).isZero();
    assertThat(out.toString()).isEqualToIgnoringNewLines(kept.resolve("report.html").toString());
    assertThat(kept.resolve("report.html")).content().isNotEmpty().doesNotContain("a:b.log");
  }

  @Test
  void writesThePageOfSeveralRunsWhereItIsTold() throws Exception {
    Path one = KeptRuns.keep(folder.resolve("one"), "loopback", KeptRuns.runs());
    Path two = KeptRuns.keep(folder.resolve("two"), "1gbit", KeptRuns.runs());
    Path both = folder.resolve("both");
    assertThat(run("report", one, two.resolve("run.json"), "--out", both))
        .as(err.toString())
        .isZero();
    assertThat(both.resolve("report.html")).content().contains("2 runs · thesis 100MB");
    assertThat(one.resolve("report.html")).doesNotExist();
  }

  @Test
  void saysWhatItCannotRead() throws Exception {
    assertThat(run("report", folder.resolve("nowhere"))).isEqualTo(2);
    assertThat(err.toString()).contains("does not exist: name the folder of a run");
    Path other = Files.writeString(folder.resolve("other.json"), "[]");
    assertThat(run("report", other)).isEqualTo(1);
    assertThat(err.toString()).contains("other.json has no schema, this version reads schema 1");
    assertThat(run("report", Files.createDirectory(folder.resolve("empty")))).isEqualTo(1);
    assertThat(err.toString()).contains("run.json is no file: name the folder of a run");
    Path lacking =
        Files.writeString(
            folder.resolve("lacking.json"),
            "{\"schema\":1,\"runs\":[{\"system\":\"x\",\"sqS\":1}]}");
    assertThat(run("report", lacking)).isEqualTo(1);
    assertThat(err.toString()).contains("lacking.json has a run that lacks figures");
    assertThat(run("report")).isEqualTo(2);
  }
}
