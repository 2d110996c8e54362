package io.drayage.cli.data;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.drayage.cli.Drayage;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The whole command, with tiny cargoes. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class CargoAnalyzeCommandTest {
  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(String... args) {
    return Drayage.commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(args);
  }

  @Test
  @Tag("nightly")
  void showsEveryColumnWithItsEncodingsAndTheTotals() throws Exception {
    Path json = folder.resolve("columns.json");
    int code = run("cargo", "analyze", "--cargo=tpch:sf=0.01", "--iterations=1", "--json=" + json);

    assertThat(code).as(err.toString()).isZero();
    List<String> lines = out.toString().lines().toList();
    assertThat(lines.get(0)).startsWith("column").contains("lz4", "zstd:3", "encodings");
    assertThat(lines.get(lines.size() - 1))
        .startsWith("numeric columns: columnar ")
        .contains("the ratio of zstd:3", "lz4's speed");

    JsonNode result = new ObjectMapper().readTree(json.toFile());
    assertThat(result.get("schema").asInt()).isEqualTo(1);
    assertThat(result.get("environment").get("commit").isTextual()).isTrue();
    assertThat(result.get("config").get("mode").asText()).isEqualTo("balanced");
    assertThat(result.get("config").get("sizeBytes").isNull()).isTrue();
    long rawBytes = 0;
    for (JsonNode row : result.get("summary")) {
      assertThat(row.get("encodings")).as(row.toString()).isNotEmpty();
      assertThat(row.get("codecs")).as(row.toString()).hasSize(4);
      rawBytes += row.get("rawBytes").asLong();
    }
    assertThat(result.get("totals"))
        .extracting(t -> t.get("columns").asText())
        .containsExactly("numeric", "text", "all");
    JsonNode all = result.get("totals").get(2).get("codecs");
    assertThat(all)
        .extracting(f -> f.get("codec").asText())
        .containsExactly("columnar", "raw+lz4", "raw+zstd:3", "columnar+zstd:1");
    assertThat(all.get(0).get("rawBytes").asLong()).isEqualTo(rawBytes);
  }

  @Test
  @Tag("nightly")
  void measuresPartOfALargeColumnAndSaysSo() throws Exception {
    Path file = folder.resolve("thesis.cargo");
    Path json = folder.resolve("columns.json");
    assertThat(run("cargo", "write", "--size=20MB", file.toString())).isZero();
    int code =
        run(
            "cargo",
            "analyze",
            file.toString(),
            "--iterations=1",
            "--sample=600KB",
            "--mode=dense",
            "--json=" + json);

    assertThat(code).as(err.toString()).isZero();
    assertThat(out.toString()).contains("* measured on segments spread over the column");
    JsonNode result = new ObjectMapper().readTree(json.toFile());
    assertThat(result.get("config").get("mode").asText()).isEqualTo("dense");
    assertThat(result.get("summary"))
        .anySatisfy(
            row ->
                assertThat(row.get("measuredBytes").asLong())
                    .isPositive()
                    .isLessThan(row.get("rawBytes").asLong()));
  }

  @Test
  void showsTheColumnsOfASmallCargo() {
    int code = run("cargo", "analyze", "--cargo=columns", "--size=100KB", "--iterations=1");

    assertThat(code).as(err.toString()).isZero();
    assertThat(out.toString())
        .startsWith("column ")
        .contains("columns.sensor_1_decimal", "columns.skewed_50_texts", "numeric columns: ");
  }

  @Test
  void refusesAFileBesideACargo() {
    assertThat(run("cargo", "analyze", "some.cargo", "--cargo=thesis")).isEqualTo(2);
    assertThat(err.toString()).contains("a FILE or a --cargo, not both");
  }

  @Test
  void namesTheModesThereAre() {
    assertThat(run("cargo", "analyze", "--mode=best")).isEqualTo(2);
    assertThat(err.toString()).contains("[FAST, BALANCED, DENSE]");
  }

  @Test
  void namesAFileThatIsNone() {
    assertThat(run("cargo", "analyze", folder.resolve("none.cargo").toString())).isEqualTo(2);
    assertThat(err.toString()).contains("none.cargo");
  }
}
