package io.drayage.bench.rig;

import io.drayage.bench.result.ProcessCost;
import io.drayage.bench.result.Run;
import io.drayage.bench.rig.ControlMessages.Applied;
import io.drayage.bench.rig.ControlMessages.Command;
import io.drayage.bench.rig.ControlMessages.Job;
import io.drayage.bench.rig.ControlMessages.Listening;
import io.drayage.bench.rig.ControlMessages.Prepared;
import io.drayage.bench.rig.ControlMessages.Shipped;
import io.drayage.bench.system.Contender;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The worker and the transactor of one system, from the rig's side: started once, kept warm, and
 * told what to do. For one thread, except {@link #children}.
 */
final class Pair implements AutoCloseable {
  private final Contender contender;
  private final Child worker;
  private final Child transactor;
  private final Deadlines deadlines;
  private @Nullable Prepared prepared;
  private boolean cargoInMemory;
  private @Nullable String lostBecause;

  Pair(Contender contender, Child worker, Child transactor, Deadlines deadlines) {
    this.contender = contender;
    this.worker = worker;
    this.transactor = transactor;
    this.deadlines = deadlines;
  }

  Contender contender() {
    return contender;
  }

  List<Child> children() {
    return List.of(worker, transactor);
  }

  /**
   * Has the worker make its cargo and the transactor its tables, and brings them together.
   *
   * @return why the pair is not ready; null if it is
   */
  @Nullable String prepare(Job job) throws InterruptedException {
    try {
      transactor.send(Command.PREPARE, job);
      worker.send(Command.PREPARE, job);
      Listening listening = transactor.await(Listening.class, deadlines.prepare());
      cargoInMemory = job.streaming() == null;
      prepared = worker.await(Prepared.class, deadlines.prepare());
      worker.call(Command.CONNECT, listening, Void.class, deadlines.command());
      return null;
    } catch (ChildException e) {
      // Whatever it was, there is no pair to work with.
      lostBecause = e.getMessage();
      return lostBecause;
    }
  }

  /** Has the worker ship its cargo once. What goes wrong becomes a failed run. */
  Run run(int iteration) throws InterruptedException {
    if (prepared == null || lostBecause != null) {
      return Run.failed(
          contender.name(), iteration, "not run, the system was lost before: " + lostBecause);
    }
    try {
      collectGarbage();
      transactor.call(Command.BEGIN, null, Void.class, deadlines.command());
      Shipped shipped = ship();
      ProcessCost transactorCost =
          transactor.call(Command.END, null, ProcessCost.class, deadlines.command());
      Applied applied = transactor.call(Command.VERIFY, null, Applied.class, deadlines.command());
      return Run.completed(
          contender.name(),
          iteration,
          prepared.rawBytes(),
          shipped.report(),
          shipped.cost(),
          transactorCost,
          prepared.digest(),
          applied.digest(),
          cargoInMemory);
    } catch (ChildException e) {
      if (e.isLost()) {
        lostBecause = e.getMessage();
      }
      return Run.failed(contender.name(), iteration, e.getMessage());
    }
  }

  private void collectGarbage() throws ChildException, InterruptedException {
    transactor.call(Command.RESET, null, Void.class, deadlines.command());
    transactor.send(Command.GC, null);
    worker.send(Command.GC, null);
    transactor.await(Void.class, deadlines.command());
    worker.await(Void.class, deadlines.command());
  }

  /** If the worker fails because the transactor is gone, the transactor's end is the news. */
  private Shipped ship() throws ChildException, InterruptedException {
    try {
      return worker.call(Command.RUN, null, Shipped.class, deadlines.run());
    } catch (ChildException e) {
      if (!transactor.isAlive()) {
        throw ChildException.lost("%s; %s".formatted(transactor.howItEnded(), e.getMessage()));
      }
      throw e;
    }
  }

  @Override
  public void close() {
    worker.close();
    transactor.close();
  }
}
