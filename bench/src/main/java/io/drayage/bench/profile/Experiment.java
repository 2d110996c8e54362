package io.drayage.bench.profile;

import io.drayage.baseline.stream.StreamOptions;
import io.drayage.bench.system.Contender;
import io.drayage.bench.system.Rung;
import io.drayage.bench.system.SystemOptions;
import io.drayage.bench.system.SystemUnderTest;
import io.drayage.bench.system.Systems;
import java.util.ArrayList;
import java.util.List;

/**
 * Removes one suspect from a system, and nothing else.
 *
 * @param suspect the id of its rule in {@code frame-rules.txt}
 * @param decisive whether it decides about the suspect; if not, it only adds to the picture
 * @param rung the system without the suspect, compared with the one that has it
 */
record Experiment(String suspect, boolean decisive, Rung rung) {
  private static final int LARGE_CHUNK_BYTES = 1 << 20;
  private static final int SHORT_QUEUE_CHUNKS = 16;
  private static final int READ_BUFFER_BYTES = 64 << 10;

  /** All experiments with a system, without those that this machine cannot run. */
  static List<Experiment> of(Contender contender) {
    String transport = contender.system().transport();
    StreamOptions stream = contender.options().stream();
    List<Experiment> all = new ArrayList<>();
    if (!contender.system().isParallel()) {
      if (transport.equals("grpc")) {
        all.add(over("netty", "grpc", true, contender, "Netty for gRPC"));
        all.add(over("grpc-tuned", "grpc", false, contender, "tuned gRPC"));
      }
      all.add(
          with(
              stream.withQueueChunks(SHORT_QUEUE_CHUNKS),
              "queues",
              contender,
              "a queue of 16 chunks"));
      all.add(
          with(stream.withChunkBytes(LARGE_CHUNK_BYTES), "chunks", contender, "chunks of 1 MiB"));
      all.add(
          with(
              stream.withReadBufferBytes(READ_BUFFER_BYTES),
              "reads",
              contender,
              "reads through 64 KiB"));
      all.add(with(stream.withoutFlushes(), "kryo-flush", contender, "no flushes"));
    } else if (transport.equals("netty")) {
      // Most suspects of the segments cannot be removed alone: their share is a bound.
      all.add(over("netty-io_uring", "system-calls", true, contender, "io_uring for epoll"));
    }
    return all.stream()
        .filter(experiment -> Systems.whyUnusable(experiment.rung.contender()) == null)
        .toList();
  }

  private static Experiment over(
      String transport, String suspect, boolean decisive, Contender contender, String change) {
    SystemUnderTest system = contender.system();
    SystemUnderTest changed =
        new SystemUnderTest(
            transport, system.serializer(), system.compressor(), system.level(), system.threads());
    return of(suspect, decisive, contender, change, changed, contender.options());
  }

  private static Experiment with(
      StreamOptions stream, String suspect, Contender contender, String change) {
    SystemOptions changed = contender.options().withStream(stream);
    return of(suspect, true, contender, change, contender.system(), changed);
  }

  private static Experiment of(
      String suspect,
      boolean decisive,
      Contender contender,
      String change,
      SystemUnderTest system,
      SystemOptions options) {
    String name = "%s, %s".formatted(contender.name(), change);
    return new Experiment(
        suspect,
        decisive,
        new Rung(change, new Contender(name, system, options), contender.name()));
  }
}
