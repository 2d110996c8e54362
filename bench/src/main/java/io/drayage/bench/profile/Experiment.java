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
 * Takes one suspect away from a system, and nothing else.
 *
 * @param suspect the id of its rule in {@code frame-rules.txt}
 * @param decisive whether it decides about the suspect; if not, it only adds to the picture
 * @param rung the system without the suspect, compared with the one that has it
 */
record Experiment(String suspect, boolean decisive, Rung rung) {
  private static final int LARGE_CHUNK_BYTES = 1 << 20;
  private static final int SHORT_QUEUE_CHUNKS = 16;
  private static final int READ_BUFFER_BYTES = 64 << 10;

  /** All that there are for a system; those that this machine cannot run are left out. */
  static List<Experiment> of(Contender contender) {
    List<Experiment> all =
        contender.system().isParallel() ? inSegments(contender) : asStream(contender);
    return all.stream()
        .filter(experiment -> Systems.whyUnusable(experiment.rung.contender()) == null)
        .toList();
  }

  private static List<Experiment> asStream(Contender contender) {
    SystemUnderTest system = contender.system();
    StreamOptions stream = contender.options().stream();
    List<Experiment> experiments = new ArrayList<>();
    if (system.transport().equals("grpc")) {
      experiments.add(
          of(
              "grpc",
              true,
              contender,
              "Netty for gRPC",
              over(system, "netty"),
              contender.options()));
      experiments.add(
          of(
              "grpc",
              false,
              contender,
              "tuned gRPC",
              over(system, "grpc-tuned"),
              contender.options()));
    }
    experiments.add(
        of(
            "queues",
            contender,
            "a queue of 16 chunks",
            stream.withQueueChunks(SHORT_QUEUE_CHUNKS)));
    experiments.add(
        of("chunks", contender, "chunks of 1 MiB", stream.withChunkBytes(LARGE_CHUNK_BYTES)));
    experiments.add(
        of(
            "reads",
            contender,
            "reads through 64 KiB",
            stream.withReadBufferBytes(READ_BUFFER_BYTES)));
    experiments.add(of("kryo-flush", contender, "no flushes", stream.withoutFlushes()));
    return experiments;
  }

  /** Most of what is suspect there cannot be taken away alone; its share is a bound. */
  private static List<Experiment> inSegments(Contender contender) {
    SystemUnderTest system = contender.system();
    return system.transport().equals("netty")
        ? List.of(
            of(
                "system-calls",
                true,
                contender,
                "io_uring for epoll",
                over(system, "netty-io_uring"),
                contender.options()))
        : List.of();
  }

  private static SystemUnderTest over(SystemUnderTest system, String transport) {
    return new SystemUnderTest(
        transport, system.serializer(), system.compressor(), system.level(), system.threads());
  }

  private static Experiment of(
      String suspect, Contender contender, String change, StreamOptions stream) {
    return of(
        suspect,
        true,
        contender,
        change,
        contender.system(),
        contender.options().withStream(stream));
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
