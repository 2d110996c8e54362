package io.drayage.cli.explain;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.drayage.cli.CommandFixture;
import io.drayage.codec.Compressors;
import io.drayage.codec.Serializers;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs the whole command, with a tiny cargo. */
@Tag("ci")
final class SizesCommandTest extends CommandFixture {
  private static final int STREAMS = Serializers.all().size() * Compressors.all().size();
  private static final int SEGMENTS = Compressors.all().size();

  /** Half of the total time: each flush of Kryo clears LZ4's 4 MB. */
  private static final Set<String> SLOW =
      Set.of("kryo+lz4", "kryo+lz4hc", "kryo-unsafe+lz4", "kryo-unsafe+lz4hc");

  /** All streams except four, and then all segments. */
  @Test
  void measuresTheCombinationsThatAreNamed() throws Exception {
    String codecs =
        Serializers.all().stream()
            .flatMap(
                serializer ->
                    Compressors.all().stream()
                        .map(compressor -> serializer.name() + "+" + compressor.name()))
            .filter(codec -> !SLOW.contains(codec))
            .collect(Collectors.joining(","));
    measures(STREAMS - SLOW.size(), codecs);

    Path json = folder.resolve("segments.json");
    said(0, "sizes --size=50KB --codec=raw --form=segments --json=~/segments.json");
    assertThat(json(json).get("summary")).hasSize(SEGMENTS);
  }

  private void measures(int combinations, String codecs) throws Exception {
    Path json = folder.resolve("sizes.json");
    said(0, "sizes --size=50KB --json=~/sizes.json --out=~/kept --codec=" + codecs);
    assertThat(lines().get(0)).startsWith("codec").contains("published MB", "deviation");
    assertThat(lastLine()).contains("raw 0.1 MB", "nothing was published");
    assertThat(errors()).hasSize(1 + combinations + 1).last().asString().startsWith("kept in ");

    JsonNode result = json(json);
    assertThat(result.get("schema").asInt()).isEqualTo(1);
    assertThat(result.get("environment").get("commit").isTextual()).isTrue();
    assertThat(result.get("config").get("sizeBytes").asLong()).isEqualTo(50_000);
    assertThat(result.get("summary")).hasSize(combinations);
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
    said(0, "sizes --size=50KB --codec=raw+none --json=~/sizes.json");
    long streamBytes = json(json).get("summary").get(0).get("bytes").asLong();
    said(0, "sizes --size=50KB --codec=raw+none --form=segments --json=~/sizes.json");
    JsonNode row = json(json).get("summary").get(0);
    assertThat(row.get("form").asText()).isEqualTo("segments");
    assertThat(row.get("bytes").asLong()).isEqualTo(streamBytes);
  }

  /** Runs the quick codecs of the study; {@code docs/benchmarks.md} has all of them. */
  @Test
  @Tag("nightly")
  @Timeout(300)
  void comesNearThePublishedSizes() throws Exception {
    String quick =
        "java+none,java+lz4,java+zstd,kryo+none,kryo+lz4,kryo-unsafe+lz4,msgpack+none,msgpack+zstd";
    Path json = folder.resolve("sizes.json");
    said(0, "sizes --size=100MB --codec=" + quick + " --json=~/sizes.json");
    JsonNode rows = json(json).get("summary");
    assertThat(rows).hasSize(8);
    for (JsonNode row : rows) {
      assertThat(row.get("deviation").asDouble()).as(row.toString()).isBetween(-0.08, 0.08);
    }
  }
}
