package io.drayage.bench.rig;

import io.drayage.bench.result.Run;
import io.drayage.bench.system.Contender;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One worker and one transactor that ship the same cargo by one system after the other, for trials
 * of many settings: the processes, their cargo and what their compilers know stay, only the codec
 * threads, the connections and the listening socket are new. Cargoes only have to take effect. For
 * one thread.
 *
 * <p>Not for comparing systems in a result: what one leaves in the shared processes may shape the
 * next. {@link Rig} gives each its own.
 */
public final class TrialPair implements AutoCloseable {
  private final RigPlan plan;
  private @Nullable Pair pair;

  /**
   * @param plan its contenders are not looked at, nor its iterations
   */
  public TrialPair(RigPlan plan) {
    this.plan = plan;
  }

  /**
   * Ships the cargo some times.
   *
   * @return a run each; the first is the first over its connections
   * @throws IOException if the processes cannot be started
   */
  public List<Run> run(Contender contender, int times) throws IOException, InterruptedException {
    Pair ready = pair;
    if (ready == null || ready.isLost()) {
      close();
      ready = start(contender);
      pair = ready;
    }
    String problem =
        ready.prepare(contender, Assignment.of(plan.job(contender, null), plan.workers()));
    if (problem != null) {
      return List.of(Run.failed(contender.name(), 1, problem));
    }
    List<Run> runs = new ArrayList<>();
    for (int i = 1; i <= times; i++) {
      runs.add(ready.run(i));
    }
    return runs;
  }

  private Pair start(Contender contender) throws IOException {
    ChildStarter starter =
        new ChildStarter(plan, 1, new Contender("trials", contender.system(), contender.options()));
    return new Pair(
        contender,
        starter.workers(text -> {}),
        starter.transactor(),
        Deadlines.of(plan.cargoBytes()));
  }

  @Override
  public void close() {
    if (pair != null) {
      pair.close();
      pair = null;
    }
  }
}
