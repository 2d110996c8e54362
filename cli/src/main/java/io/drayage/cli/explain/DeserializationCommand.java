package io.drayage.cli.explain;

import io.drayage.bench.codecs.Direction;
import picocli.CommandLine.Command;

/** {@code drayage deserialization}: measures the time in which each codec reads a cargo. */
@Command(
    name = "deserialization",
    mixinStandardHelpOptions = true,
    description = {
      "Measures the time in which each codec reads a cargo (the study's table B).",
      "",
      "By JMH, each codec in a separate process, one thread, a garbage collection before each"
          + " cargo. One operation is a whole cargo, decompressed and deserialized out of memory"
          + " into new objects, whose digest is compared after the measurement. java+none is"
          + " always measured, for the scores; for segments also a plain copy of the same pages"
          + " into new arrays.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  drayage deserialization",
      "  drayage deserialization --size 1GB --codec java --codec kryo+lz4 --json result.json",
      "  drayage deserialization --form segments --codec raw,kryo-tuned --alloc",
      "  drayage deserialization --codec kryo,kryo-unsafe --without-flush --forks 3",
      "  drayage deserialization --codec kryo+lz4 --profile --out kryo"
    })
public final class DeserializationCommand extends TimingCommand {
  DeserializationCommand() {
    super(Direction.DESERIALIZATION);
  }
}
