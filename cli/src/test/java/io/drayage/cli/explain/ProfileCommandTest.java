package io.drayage.cli.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.drayage.bench.rig.Child;
import io.drayage.cli.CommandFixture;
import io.drayage.cli.Drayage;
import io.drayage.profiling.ProfilerEvent;
import io.drayage.profiling.ProfilerException;
import io.drayage.profiling.ProfilerOffer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the whole command, with real child JVMs, real recordings and a small cargo. */
final class ProfileCommandTest extends CommandFixture {
  private static void requireProfiler() {
    String problem = null;
    try {
      ProfilerOffer offer =
          ProfilerOffer.of(EnumSet.of(ProfilerEvent.CPU, ProfilerEvent.WALL), true);
      problem = offer.refused().isEmpty() ? null : offer.refused().toString();
    } catch (ProfilerException e) {
      problem = e.getMessage();
    }
    if (problem != null) {
      System.err.println("skipped: " + problem);
    }
    assumeTrue(problem == null, problem);
  }

  /** The only recording of the default tier: every part of the result has some data. */
  @Tag("ci")
  @Test
  @Timeout(300)
  void recordsAndExplainsASystem() throws Exception {
    requireProfiler();
    Path kept = folder.resolve("kept");
    JsonNode result =
        profile(
            "--size=24MB --system=netty:raw+none@2 --event=cpu,wall --iterations=2 --budget=4s --experiments=0");

    assertThat(graphs(kept, result))
        .contains("netty:raw+none@2 worker EVENT wall", "netty:raw+none@2 transactor EVENT wall");
    requireShares(result, 1);
    assertThat(result.get("recordings")).hasSize(2);
    for (JsonNode recording : result.get("recordings")) {
      assertThat(kept.resolve(recording.get("file").asText())).isNotEmptyFile();
      assertThat(recording.get("iterations").asInt()).isEqualTo(2);
      assertThat(recording.get("segments").asInt()).isPositive();
    }
    assertThat(result.get("runs")).hasSize(2);
    assertThat(result.get("recordedRuns")).hasSize(2);
    assertThat(result.get("overhead").get(0).get("overhead").isNumber()).isTrue();
    assertThat(kept.resolve("index.html"))
        .content()
        .contains("Suspects", "overhead of recording", "flames/");
    assertThat(out.toString())
        .contains("overhead of recording netty:raw+none@2", "no suspect was tried", "index.html");
  }

  private JsonNode profile(String options) throws IOException {
    said(0, "profile --out=~/kept " + options);
    return json(folder.resolve("kept/profile.json"));
  }

  @Test
  @Tag("nightly")
  @Timeout(240)
  void everyGraphHasSamplesOfItsSideAndRole() throws Exception {
    requireProfiler();
    Path kept = folder.resolve("kept");
    JsonNode result =
        profile(
            "--size=24MB --system=grpc:java+none --system=netty:columnar+zstd@2 --event=cpu,wall,alloc --iterations=2 --budget=20s --experiments=0");

    requireGraphs(graphs(kept, result));
    requireShares(result, 2);
    assertThat(kept.resolve("index.html")).content().contains("grpc:java+none", "flames/");
    for (JsonNode recording : result.get("recordings")) {
      assertThat(kept.resolve(recording.get("file").asText())).isNotEmptyFile();
      assertThat(recording.get("iterations").asInt()).as(recording.toString()).isEqualTo(2);
      assertThat(recording.get("unknownCpu").asDouble()).as(recording.toString()).isLessThan(0.05);
      assertThat(recording.get("unknownWaiting").asDouble()).isLessThan(0.05);
    }
    assertThat(out.toString()).contains("overhead of recording", "gRPC *", "index.html");
  }

  @Test
  @Tag("nightly")
  @Timeout(240)
  void removesSuspectsInTurns() throws Exception {
    requireProfiler();
    Path kept = folder.resolve("kept");
    JsonNode result =
        profile(
            "--size=2MB --system=grpc:java+none --event=cpu --iterations=1 --budget=10s --experiments=5 --experiment-size=1MB");

    assertThat(result.get("experiments")).hasSize(6);
    for (JsonNode experiment : result.get("experiments")) {
      assertThat(experiment.get("withS")).as(experiment.toString()).hasSize(5);
      assertThat(experiment.get("withoutS")).as(experiment.toString()).hasSize(5);
      assertThat(experiment.get("finding").asText()).isIn("guilty", "not guilty", "cannot be told");
    }
    assertThat(result.get("experimentRuns")).hasSize(7 * 5);
    assertThat(kept.resolve("index.html")).content().contains("tuned gRPC");
  }

  /** Returns the graphs; those of a role show its threads. */
  private static List<String> graphs(Path kept, JsonNode result) throws IOException {
    List<String> found = new ArrayList<>();
    for (JsonNode graph : result.get("graphs")) {
      String what =
          "%s %s %s %s"
              .formatted(
                  graph.get("system").asText(),
                  graph.get("side").asText(),
                  graph.get("kind").asText(),
                  graph.get("name").asText());
      found.add(what);
      assertThat(graph.get("samples").asLong()).as(what).isPositive();
      String html = Files.readString(kept.resolve(graph.get("file").asText()));
      if (graph.get("kind").asText().equals("ROLE")) {
        assertThat(html).as(what).contains(graph.get("name").asText() + "]");
      }
    }
    return found;
  }

  private static void requireGraphs(List<String> found) {
    for (String system : List.of("grpc:java+none", "netty:columnar+zstd@2")) {
      for (String side : List.of("worker", "transactor")) {
        assertThat(found)
            .contains(
                "%s %s EVENT cpu".formatted(system, side),
                "%s %s EVENT wall".formatted(system, side),
                "%s %s EVENT alloc".formatted(system, side),
                "%s %s PHASE serialize".formatted(system, side),
                "%s %s ROLE event loop".formatted(system, side),
                "%s %s DIFFERENCE cpu".formatted(system, side));
      }
      // Samples of the worker's own code cannot be in the transactor.
      String ofWorker = system.startsWith("grpc") ? "serializer" : "codec pool";
      assertThat(found).contains("%s worker ROLE %s".formatted(system, ofWorker));
    }
    assertThat(found)
        .contains("grpc:java+none transactor ROLE deserializer")
        .doesNotContain(
            "grpc:java+none transactor ROLE serializer", "grpc:java+none worker ROLE deserializer");
  }

  private static void requireShares(JsonNode result, int systems) {
    Map<String, Double> sums = new TreeMap<>();
    for (JsonNode row : result.get("summary")) {
      for (String side : List.of("worker", "transactor")) {
        for (String column : List.of("cpu", "waiting")) {
          sums.merge(
              row.get("system").asText() + " " + side + " " + column,
              row.get(side).get(column).asDouble(),
              Double::sum);
        }
      }
    }
    assertThat(sums).hasSize(4 * systems);
    sums.forEach((what, sum) -> assertThat(sum).as(what).isCloseTo(1, within(1e-6)));
  }

  /** The library's properties of the machine decide whether it has a profiler. */
  @Test
  @Timeout(180)
  @Tag("ci")
  void saysWhatToDoOnAPlatformWithoutAProfiler() throws Exception {
    Path said = folder.resolve("said");
    List<String> command =
        Child.command(Drayage.class, List.of("-Dos.arch=sparc", "-Dos.name=Solaris"));
    List<String> whole = new ArrayList<>(command);
    whole.addAll(List.of("profile", "--out=" + folder.resolve("no")));
    ProcessBuilder builder = new ProcessBuilder(whole).redirectError(said.toFile());
    builder.environment().remove("JDK_JAVA_OPTIONS"); // the launcher would print that it reads them
    Process process = builder.start();

    assertThat(process.waitFor()).isEqualTo(1);
    assertThat(Files.readAllLines(said))
        .singleElement()
        .asString()
        .startsWith("drayage: there is no profiler for Solaris sparc")
        .contains("run without a profile");
    assertThat(folder.resolve("no")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"one,two", "50%"})
  void refusesAFolderThatTheProfilerCannotWriteTo(String name) {
    exits(2, "profile", "--out=" + folder.resolve(name));
    assertThat(err.toString().lines()).singleElement().asString().contains("name another folder");
    assertThat(folder.resolve(name)).doesNotExist();
  }
}
