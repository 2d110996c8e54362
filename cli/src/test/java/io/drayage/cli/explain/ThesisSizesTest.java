package io.drayage.cli.explain;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.drayage.cli.CommandRun;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Holds the thesis cargo to the published sizes, with the quick ones of the study's codecs. All of
 * them are in {@code docs/thesis-cargo.md}.
 */
@Tag("nightly")
final class ThesisSizesTest {
  private static final double TOLERANCE = 0.08;

  private static final String QUICK =
      "java+none,java+lz4,java+zstd,kryo+none,kryo+lz4,kryo-unsafe+lz4,msgpack+none,msgpack+zstd";

  @TempDir private Path folder;

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void comesNearThePublishedSizes() throws Exception {
    Path json = folder.resolve("sizes.json");
    CommandRun run = CommandRun.of("sizes", "--size=100MB", "--codec=" + QUICK, "--json=" + json);

    assertThat(run.code()).as(run.toString()).isZero();
    JsonNode rows = CommandRun.json(json).get("summary");
    assertThat(rows).hasSize(8);
    for (JsonNode row : rows) {
      assertThat(row.get("deviation").asDouble())
          .as(row.toString())
          .isBetween(-TOLERANCE, TOLERANCE);
    }
  }
}
