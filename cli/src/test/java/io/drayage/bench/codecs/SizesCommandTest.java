package io.drayage.bench.codecs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.drayage.bench.progress.StepDisplay;
import io.drayage.bench.published.PublishedFigures;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cli.CommandRun;
import io.drayage.codec.Compressors;
import io.drayage.codec.Serializers;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole command, with a tiny cargo. */
final class SizesCommandTest {
  private static final StepDisplay SILENT =
      new StepDisplay() {
        @Override
        public void step(int done, int steps, String text) {}

        @Override
        public void close() {}
      };

  @TempDir private Path folder;

  @Test
  void measuresEveryCombinationThereIs() throws Exception {
    Path json = folder.resolve("sizes.json");
    CommandRun run =
        CommandRun.of("sizes", "--size=50KB", "--json=" + json, "--out=" + folder.resolve("kept"));

    assertThat(run.code()).as(run.toString()).isZero();
    assertThat(run.out().get(0)).startsWith("codec").contains("published MB", "deviation");
    assertThat(run.lastLine()).contains("raw 0.1 MB", "nothing was published");
    int streams = Serializers.all().size() * Compressors.all().size();
    int segments = Compressors.all().size();
    assertThat(run.err())
        .hasSize(1 + streams + segments + 1)
        .last()
        .asString()
        .startsWith("kept in ");

    JsonNode result = CommandRun.json(json);
    assertThat(result.get("schema").asInt()).isEqualTo(1);
    assertThat(result.get("environment").get("commit").isTextual()).isTrue();
    assertThat(result.get("config").get("sizeBytes").asLong()).isEqualTo(50_000);
    assertThat(result.get("summary")).hasSize(streams + segments);
    JsonNode first = result.get("summary").get(0);
    assertThat(first.get("serializer").asText()).isEqualTo("java");
    assertThat(first.get("compressor").asText()).isEqualTo("none");
    assertThat(first.get("bytes").asLong())
        .isGreaterThan(result.get("config").get("rawBytes").asLong());
    assertThat(first.get("publishedBytes").isNull()).isTrue();
    assertThat(folder.resolve("kept/run.json")).exists();
  }

  @Test
  void countsAsManyBytesInSegmentsAsARawStreamHas() throws Exception {
    Path json = folder.resolve("sizes.json");
    CommandRun stream = CommandRun.of("sizes", "--size=50KB", "--codec=raw+none", "--json=" + json);
    long streamBytes = CommandRun.json(json).get("summary").get(0).get("bytes").asLong();
    CommandRun segments =
        CommandRun.of(
            "sizes", "--size=50KB", "--codec=raw+none", "--form=segments", "--json=" + json);
    JsonNode row = CommandRun.json(json).get("summary").get(0);

    assertThat(stream.code() + segments.code()).isZero();
    assertThat(row.get("form").asText()).isEqualTo("segments");
    assertThat(row.get("bytes").asLong()).isEqualTo(streamBytes);
  }

  @Test
  void keepsAFailedCombinationAndGoesOn() throws Exception {
    ChangeCargo cargo = ChangeCargo.builder(new UUID(0, 0), 0).build();
    Combination missing = new Combination("raw", "rar", null, Form.STREAM);
    Combination present = new Combination("raw", "none", null, Form.STREAM);
    var rows =
        new Sizes(cargo, 0, PublishedFigures.none(), 0).measure(List.of(missing, present), SILENT);
    assertThat(rows.get(0).status()).hasToString("failed");
    assertThat(rows.get(0).error()).contains("'rar' is unknown");
    assertThat(rows.get(1).status()).hasToString("ok");
  }
}
