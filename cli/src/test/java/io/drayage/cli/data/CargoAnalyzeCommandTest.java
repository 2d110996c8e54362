package io.drayage.cli.data;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.drayage.cli.CommandRun;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The whole command, with tiny cargoes. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class CargoAnalyzeCommandTest {
  @TempDir private Path folder;

  @Test
  @Tag("nightly")
  void showsEveryColumnWithItsEncodingsAndTheTotals() throws Exception {
    Path json = folder.resolve("columns.json");
    CommandRun run =
        CommandRun.of(
            "cargo", "analyze", "--cargo=tpch:sf=0.01", "--iterations=1", "--json=" + json);

    assertThat(run.code()).as(run.toString()).isZero();
    assertThat(run.out().get(0)).startsWith("column").contains("lz4", "zstd:3", "encodings");
    assertThat(run.lastLine())
        .startsWith("numeric columns: columnar ")
        .contains("the ratio of zstd:3", "lz4's speed");

    JsonNode result = CommandRun.json(json);
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
    assertThat(CommandRun.of("cargo", "write", "--size=20MB", file.toString()).code()).isZero();
    CommandRun run =
        CommandRun.of(
            "cargo",
            "analyze",
            file.toString(),
            "--iterations=1",
            "--sample=600KB",
            "--mode=dense",
            "--json=" + json);

    assertThat(run.code()).as(run.toString()).isZero();
    assertThat(run.toString()).contains("* measured on segments spread over the column");
    JsonNode result = CommandRun.json(json);
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
    CommandRun run =
        CommandRun.of("cargo", "analyze", "--cargo=columns", "--size=100KB", "--iterations=1");

    assertThat(run.code()).as(run.toString()).isZero();
    assertThat(run.out().get(0)).startsWith("column ");
    assertThat(run.toString())
        .contains("columns.sensor_1_decimal", "columns.skewed_50_texts", "numeric columns: ");
  }

  @ParameterizedTest
  @CsvSource({
    "some.cargo, --cargo=thesis, a FILE or a --cargo",
    "--size=1MB, --mode=best, '[FAST, BALANCED, DENSE]'",
    "--size=1MB, none.cargo, none.cargo",
  })
  void refusesWhatItCannotAnalyze(String first, String second, String reason) {
    CommandRun run = CommandRun.of("cargo", "analyze", first, second);
    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).anySatisfy(line -> assertThat(line).contains(reason));
  }
}
