package io.drayage.bench.result;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ResultTest {
  private static final String BASE = "grpc:java+none";

  @TempDir private Path folder;

  private JsonNode written(Run... runs) throws IOException {
    List<Run> all = List.of(runs);
    Path file = folder.resolve("run.json");
    Result.of(
            Map.of("cores", 2),
            Map.of("size", "100MB"),
            all,
            Summary.of(List.of(BASE), BASE, Measurement.of(all)),
            true)
        .writeTo(file);
    return new ObjectMapper().readTree(file.toFile());
  }

  private static String names(JsonNode object) {
    StringJoiner names = new StringJoiner(" ");
    object.fieldNames().forEachRemaining(names::add);
    return names.toString();
  }

  @Test
  void hasTheFiveMembersOfItsSchema() throws IOException {
    JsonNode json = written(Runs.ok(BASE, 1, 1000));
    assertThat(names(json)).isEqualTo("schema environment config runs summary");
    assertThat(json.get("schema").asInt()).isEqualTo(1);
  }

  @Test
  void aRunHasTheContractsFieldsFirst() throws IOException {
    JsonNode run = written(Runs.ok(BASE, 1, 1000)).get("runs").get(0);
    assertThat(names(run))
        .startsWith(
            "system iteration status rawBytes wireBytes digestOk phases sqS commitS workerPeakBytes"
                + " transactorPeakBytes cpuS ");
    assertThat(run.get("status").asText()).isEqualTo("ok");
    assertThat(run.get("sqS").asDouble()).isEqualTo(1.0);
    assertThat(run.get("error").isNull()).isTrue();
  }

  @Test
  void aRunSaysHowBusyItsStagesWere() throws IOException {
    JsonNode run = written(Runs.ok(BASE, 1, 1000)).get("runs").get(0);
    JsonNode utilisation = run.get("utilisation");
    assertThat(names(utilisation)).isEqualTo("encode send receive decode commit");
    assertThat(utilisation.get("encode").asDouble()).isEqualTo(0.2);
    assertThat(utilisation.get("receive").isNull()).as("not seen").isTrue();
    assertThat(run.get("worker").get("stages").get("encode").get("threads").asInt()).isEqualTo(2);
  }

  @Test
  void aPhaseThatASystemDoesNotHaveIsNull() throws IOException {
    JsonNode phases = written(Runs.ok(BASE, 1, 1000)).get("runs").get(0).get("phases");
    assertThat(names(phases))
        .isEqualTo(
            "requestS convertS serializeS drainS decodeS applyS snapshotS uploadS publishS loadS");
    for (String missing : List.of("convertS", "snapshotS", "uploadS", "publishS", "loadS")) {
      assertThat(phases.get(missing).isNull()).as(missing).isTrue();
    }
    assertThat(phases.get("serializeS").asDouble()).isEqualTo(0.97);
  }

  @Test
  void aFailedRunKeepsItsFieldsAsNullsAndSaysWhy() throws IOException {
    JsonNode run = written(Run.failed(BASE, 1, "the worker ended")).get("runs").get(0);
    assertThat(run.get("status").asText()).isEqualTo("failed");
    assertThat(run.get("error").asText()).isEqualTo("the worker ended");
    for (String field : List.of("rawBytes", "wireBytes", "digestOk", "sqS", "commitS", "cpuS")) {
      assertThat(run.get(field).isNull()).as(field).isTrue();
    }
    assertThat(run.get("phases").get("serializeS").isNull()).isTrue();
  }

  @Test
  void aRunWhoseDigestsDifferFailed() throws IOException {
    JsonNode run = written(Runs.corrupt(BASE, 1, 1000)).get("runs").get(0);
    assertThat(run.get("status").asText()).isEqualTo("failed");
    assertThat(run.get("digestOk").asBoolean()).isFalse();
    assertThat(run.get("error").asText()).contains("0000000000000007", "0000000000000008");
  }

  @Test
  void aSummaryHasTheContractsFields() throws IOException {
    JsonNode summary = written(Runs.ok(BASE, 1, 1000)).get("summary").get(0);
    String contract =
        "system status sqMedianS commitMedianS rawMBps wireBytes ratio sqSpeedup sqSpeedupLow"
            + " sqSpeedupHigh commitSpeedup commitSpeedupLow commitSpeedupHigh warm jitShare"
            + " firstCommitS cpuSPerGB";
    assertThat(names(summary).split(" "))
        .contains(contract.split(" "))
        .doesNotContain("rung", "figures", "sq", "warmth");
  }
}
