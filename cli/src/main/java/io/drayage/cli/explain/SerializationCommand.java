package io.drayage.cli.explain;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.codecs.Direction;
import io.drayage.bench.codecs.Form;
import io.drayage.bench.system.SystemNotation;
import io.drayage.cli.options.OptionChecks;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code drayage serialization}: measures the time in which each codec writes a cargo. */
@Command(
    name = "serialization",
    mixinStandardHelpOptions = true,
    description = {
      "Measures the time in which each codec writes a cargo (the study's table A).",
      "",
      "By JMH, each codec in a separate process, one thread, a garbage collection before each"
          + " cargo. One operation is a whole cargo, serialized and compressed into 64 MB of"
          + " memory that is reused as a ring, so that an encoded byte costs the same as in a"
          + " buffer. The result is read back after the measurement, and its digest compared."
          + " java+none is always measured, for the scores; for segments also a plain copy of the"
          + " same pages.",
      "",
      "With --threads, one operation is a whole cargo through a sender of segments and its codec"
          + " threads, as a worker ships it, without a transport: every frame is dropped at once."
          + " The rows of 1 and of 2 threads differ only in their threads.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  drayage serialization",
      "  drayage serialization --size 1GB --codec java --codec kryo+lz4 --json result.json",
      "  drayage serialization --form segments --codec raw,kryo-tuned --alloc",
      "  drayage serialization --form segments --threads 1,2 --codec raw+zstd:3,raw+lz4 --forks 3",
      "  drayage serialization --codec kryo,kryo-unsafe --without-flush --forks 3",
      "  drayage serialization --codec kryo+lz4 --profile --out kryo"
    })
public final class SerializationCommand extends TimingCommand {
  @Option(
      names = "--threads",
      paramLabel = "N",
      split = ",",
      description =
          "Codec threads: 1,2 measures each codec alternately with one and with two, and shows the"
              + " speedup. With --form segments only. Each count, 1 included, then uses a sender"
              + " with its threads and buffers, and a wire that accepts every frame at once."
              + " Default: one thread without a sender, segment after segment.")
  private List<Integer> threads = new ArrayList<>();

  SerializationCommand() {
    super(Direction.SERIALIZATION);
  }

  @Override
  List<Integer> threads() {
    return threads;
  }

  @Override
  void validate(OptionChecks checks, @Nullable Path out) {
    super.validate(checks, out);
    checks.require(
        threads.isEmpty() || form == Form.SEGMENTS,
        "--threads is about segments: add --form segments");
    for (int count : threads) {
      checks.require(
          count >= 1 && count <= SystemNotation.MAX_THREADS,
          format("--threads must be 1 to %,d, not %,d", SystemNotation.MAX_THREADS, count));
    }
  }
}
