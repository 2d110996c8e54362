package io.drayage.bench.codecs;

import io.drayage.bench.codecs.work.Direction;
import io.drayage.profiling.ProfilerException;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code drayage serialization}: how long each codec takes to write a cargo. */
@Command(
    name = "serialization",
    mixinStandardHelpOptions = true,
    description = {
      "Measures how long each codec takes to write a cargo (the study's table A).",
      "",
      "By JMH, each codec in a process of its own, one thread, a garbage collection before each"
          + " cargo. One operation is a whole cargo, serialized and compressed into 64 MB of memory"
          + " that is used in turns, so that an encoded byte costs what it costs in a buffer. What"
          + " was written is read back after the measurement and its digest compared. java+none is"
          + " always measured, for the scores; for segments also a plain copy of the same pages.",
      "",
      "With --threads, one operation is a whole cargo through a sender of segments and its codec"
          + " threads, as a worker ships it, without a transport: every frame is dropped as soon"
          + " as it is made. So the rows of 1 and of 2 threads differ in nothing else.",
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
public final class SerializationCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private CodecOptions options;
  @Mixin private TimingOptions timing;
  @Mixin private ThreadCounts threads;

  @Override
  public Integer call() throws IOException, ProfilerException {
    return new TimingRun(Direction.SERIALIZATION, spec, options, timing, threads).call();
  }
}
