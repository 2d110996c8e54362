package io.drayage.bench.result;

import io.drayage.bench.child.ProcessCost;
import io.drayage.bench.child.StageLoad;
import org.jspecify.annotations.Nullable;

/**
 * The utilisation of the stages of one iteration: CPU time / (threads that took part x S+Q). 1 is a
 * stage whose threads were always busy. The commit follows S+Q and may exceed 1. A stage that was
 * not seen is null.
 *
 * @param encode worker: the threads that encode or serialize
 * @param send worker: the threads that send
 * @param receive transactor: the threads that receive
 * @param decode transactor: the threads that decode or deserialize
 * @param commit transactor: the thread that commits
 */
public record Utilisation(
    @Nullable Double encode,
    @Nullable Double send,
    @Nullable Double receive,
    @Nullable Double decode,
    @Nullable Double commit) {
  static Utilisation of(ProcessCost worker, ProcessCost transactor, double sqS) {
    return new Utilisation(
        share(worker, "encode", sqS),
        share(worker, "send", sqS),
        share(transactor, "receive", sqS),
        share(transactor, "decode", sqS),
        share(transactor, "commit", sqS));
  }

  private static @Nullable Double share(ProcessCost process, String stage, double sqS) {
    StageLoad load = process.stages().get(stage);
    return load == null || load.threads() == 0 ? null : load.utilisation(sqS);
  }
}
