package io.drayage.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.bench.Drayage;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReportCommandTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path folder;

  private int run(Object... args) {
    String[] texts = new String[args.length];
    for (int i = 0; i < args.length; i++) {
      texts[i] = args[i].toString();
    }
    return Drayage.commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(texts);
  }

  @Test
  void writesThePageOfOneRunBesideIt() throws Exception {
    Path kept = KeptRuns.keep(folder.resolve("one"), "loopback", KeptRuns.runs());
    assertThat(run("report", kept)).as(err.toString()).isZero();
    assertThat(out.toString()).isEqualToIgnoringNewLines(kept.resolve("report.html").toString());
    assertThat(kept.resolve("report.html")).isNotEmptyFile();
    assertThat(kept.resolve("iterations.csv")).isNotEmptyFile();
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
    assertThat(err.toString()).contains("other.json has schema , this version reads 1");
    assertThat(run("report")).isEqualTo(2);
  }
}
