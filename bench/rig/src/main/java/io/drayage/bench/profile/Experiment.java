package io.drayage.bench.profile;

import io.drayage.baseline.stream.StreamOptions;
import io.drayage.bench.system.Contender;
import io.drayage.bench.system.Rung;
import io.drayage.bench.system.SystemUnderTest;
import io.drayage.bench.system.Systems;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * A comparison that removes one suspect from a system, and nothing else.
 *
 * @param suspect the id of its rule in {@code frame-rules.txt}
 * @param decisive whether it decides about the suspect; otherwise it only adds to the picture
 * @param rung the system without the suspect, compared with the system that has it
 */
record Experiment(String suspect, boolean decisive, Rung rung) {
  /** A change that removes a suspect from systems. */
  private record Change(
      String suspect,
      boolean decisive,
      String text,
      Predicate<SystemUnderTest> has,
      UnaryOperator<Contender> without) {}

  private static final Predicate<SystemUnderTest> STREAM = system -> !system.isParallel();
  private static final Predicate<SystemUnderTest> GRPC_STREAM =
      STREAM.and(system -> system.transport().equals("grpc"));

  /** Most suspects of the segments cannot be removed alone: their share is a bound. */
  private static final List<Change> CHANGES =
      List.of(
          new Change("grpc", true, "Netty for gRPC", GRPC_STREAM, over("netty")),
          new Change("grpc", false, "tuned gRPC", GRPC_STREAM, over("grpc-tuned")),
          stream("queues", "a queue of 16 chunks", options -> options.withQueueChunks(16)),
          stream("chunks", "chunks of 1 MiB", options -> options.withChunkBytes(1 << 20)),
          stream("reads", "reads through 64 KiB", options -> options.withReadBufferBytes(64 << 10)),
          stream("kryo-flush", "no flushes", StreamOptions::withoutFlushes),
          new Change(
              "system-calls",
              true,
              "io_uring for epoll",
              system -> system.isParallel() && system.transport().equals("netty"),
              over("netty-io_uring")));

  private static UnaryOperator<Contender> over(String transport) {
    return contender ->
        new Contender(contender.name(), contender.system().over(transport), contender.options());
  }

  private static Change stream(String suspect, String text, UnaryOperator<StreamOptions> change) {
    return new Change(
        suspect,
        true,
        text,
        STREAM,
        contender ->
            new Contender(
                contender.name(),
                contender.system(),
                contender.options().withStream(change.apply(contender.options().stream()))));
  }

  /** Returns all experiments with a system that this machine can run. */
  static List<Experiment> of(Contender contender) {
    return CHANGES.stream()
        .filter(change -> change.has.test(contender.system()))
        .map(
            change -> {
              Contender without = change.without.apply(contender);
              String name = "%s, %s".formatted(contender.name(), change.text);
              Contender named = new Contender(name, without.system(), without.options());
              return new Experiment(
                  change.suspect, change.decisive, new Rung(change.text, named, contender.name()));
            })
        .filter(experiment -> Systems.whyUnusable(experiment.rung.contender()) == null)
        .toList();
  }
}
