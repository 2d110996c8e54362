package io.drayage.bench.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cli.Drayage;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class PlanCommandTest {
  private static final String RATES =
      """
      {"schema":1,"rates":[
        {"system":"grpc:java+none","encodeS":2,"sendS":1,"receiveS":1,"decodeS":2,
         "workerS":3,"transactorS":3,"wireShare":1,"slack":1},
        {"system":"netty:columnar+none@1","link":"1gbit","encodeS":1,"sendS":0.1,"receiveS":0.1,"decodeS":0.5,
         "workerS":1.2,"transactorS":0.7,"wireShare":0.2,"slack":1}]}
      """;

  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    CommandLine commandLine = Drayage.commandLine();
    commandLine.setOut(new PrintWriter(out));
    commandLine.setErr(new PrintWriter(err));
    return commandLine.execute(arguments);
  }

  @Test
  void predictsFromRatesThatWereKept() throws Exception {
    Path rates = folder.resolve("rates.json");
    Files.writeString(rates, RATES);
    Path json = folder.resolve("plan.json");
    int code =
        run(
            "plan",
            "--rates=" + rates,
            "--cores=4",
            "--link=1000mbit",
            "--size=10GB",
            "--out=" + folder.resolve("out"),
            "--json=" + json);
    assertThat(code).as(err.toString()).isZero();
    // 10 GB, a fifth of it over 95 % of 125 MB/s.
    assertThat(out.toString())
        .contains("netty:columnar+none@1 would be the fastest: S+Q 16.84 s, link binds");
    // What was kept is what can be read again.
    assertThat(run("plan", "--rates=" + json, "--system=grpc:java+none")).isZero();
    assertThat(out.toString()).contains("grpc:java+none would be the fastest: S+Q 20.00 s");
  }

  @Test
  void refusesWhatWasMeasuredForAnotherLink() throws Exception {
    Path rates = folder.resolve("rates.json");
    Files.writeString(rates, RATES);
    assertThat(run("plan", "--rates=" + rates, "--link=10gbit")).isEqualTo(2);
    assertThat(err.toString())
        .contains("netty:columnar+none@1 was measured for 1gbit", "plan for that");
  }

  @Test
  void refusesColumnarOfAnUnknownLink() throws Exception {
    Path rates = folder.resolve("rates.json");
    Files.writeString(rates, RATES.replace("\"link\":\"1gbit\",", ""));
    assertThat(run("plan", "--rates=" + rates, "--link=1gbit")).isEqualTo(2);
    assertThat(err.toString()).contains("was measured for an unknown link");
  }

  @Test
  void saysWhatIsWrongWithTheOptions() throws Exception {
    Path empty = folder.resolve("empty.json");
    Files.writeString(empty, "{}");
    assertThat(run("plan", "--rates=" + empty)).isEqualTo(2);
    assertThat(err.toString()).contains("holds no rates");
    assertThat(run("plan", "--system=netty:raw+none@2")).isEqualTo(2);
    assertThat(err.toString()).contains("write @1, and the threads with --threads");
    assertThat(run("plan", "--cores=0")).isEqualTo(2);
  }
}
