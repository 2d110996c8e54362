package io.drayage.bench.rig;

import io.drayage.bench.child.ControlMessages.Burst;
import io.drayage.bench.child.ControlMessages.Cluster;
import io.drayage.bench.child.ControlMessages.Command;
import io.drayage.bench.child.ControlMessages.Listening;
import io.drayage.bench.child.ControlMessages.Prepared;
import io.drayage.bench.child.ControlMessages.Sampling;
import io.drayage.bench.child.ControlMessages.Shipped;
import io.drayage.bench.child.ControlMessages.Warmed;
import io.drayage.bench.child.ProcessCost;
import io.drayage.bench.result.Run;
import io.drayage.bench.rig.Assignment.Extent;
import io.drayage.bench.system.Contender;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The workers and the transactor of one system, on the rig's side: started once, kept warm, and
 * controlled by commands. Not thread-safe, except {@link #children}.
 */
final class Pair implements AutoCloseable {
  private Contender contender;
  private final List<Child> workers;
  private final Child transactor;
  private final Child.Deadlines deadlines;
  private final Supplier<@Nullable MachineUse> machine;
  private final List<Prepared> prepared = new ArrayList<>();
  private Extent extent = Extent.EFFECT;

  /** The digest of all cargoes in one transaction; null if each worker has its own. */
  private @Nullable Long together;

  private @Nullable String lostBecause = "it was not prepared";

  /** Whether the pair was reset for a run. */
  private boolean ready;

  /** Reason of a failed reset; null if it succeeded. */
  private @Nullable String notReadyBecause;

  /**
   * @param machine supplies the use of the machine
   */
  Pair(
      Contender contender,
      List<Child> workers,
      Child transactor,
      Child.Deadlines deadlines,
      Supplier<@Nullable MachineUse> machine) {
    this.contender = contender;
    this.machine = machine;
    this.workers = List.copyOf(workers);
    this.transactor = transactor;
    this.deadlines = deadlines;
    // The workers would wait for another transactor until their patience is over.
    var unused = transactor.handle().onExit().thenRun(() -> workers.forEach(Child::kill));
  }

  Contender contender() {
    return contender;
  }

  List<Child> workers() {
    return workers;
  }

  Child transactor() {
    return transactor;
  }

  List<Child> children() {
    List<Child> children = new ArrayList<>(workers);
    children.add(transactor);
    return children;
  }

  /**
   * Makes the workers read their cargoes and the transactor make its tables, and connects them.
   *
   * <p>May be called again, for another system or other options: the processes stay, and so does
   * the cargo if it is the same.
   *
   * @return why the pair is not ready; null if it is
   */
  @Nullable String prepare(Contender next, Assignment assignment) throws InterruptedException {
    beginPreparing(next, assignment);
    return endPreparing();
  }

  /** Begins the preparation for which {@link #endPreparing} waits. */
  void beginPreparing(Contender next, Assignment assignment) {
    contender = next;
    prepared.clear();
    extent = assignment.extent();
    together = assignment.digest();
    ready = false;
    try {
      transactor.send(Command.PREPARE, assignment.transactor());
      for (int i = 0; i < workers.size(); i++) {
        workers.get(i).send(Command.PREPARE, assignment.workers().get(i));
      }
      lostBecause = null;
    } catch (ChildException e) {
      // After any failure there is no pair to work with.
      lostBecause = e.getMessage();
    }
  }

  /** Does the same as {@link #prepare}. */
  @Nullable String endPreparing() throws InterruptedException {
    if (lostBecause != null) {
      return lostBecause;
    }
    try {
      Listening listening = transactor.await(Listening.class, deadlines.prepare());
      for (Child worker : workers) {
        prepared.add(worker.await(Prepared.class, deadlines.prepare()));
        worker.call(Command.CONNECT, listening, Void.class, deadlines.command());
      }
    } catch (ChildException e) {
      lostBecause = e.getMessage();
    }
    return lostBecause;
  }

  /**
   * Prepares the first worker and the transactor for {@linkplain #record recording}. Must precede
   * {@link #prepare}, because Flight Recorder makes a JVM throw away all compiled code.
   *
   * @return why they are not ready; null if they are
   */
  @Nullable String profile(RigProfiling profiling, int number) throws InterruptedException {
    for (boolean ofWorker : List.of(true, false)) {
      Path file = profiling.file(number, ofWorker);
      profiling.add(new RigProfiling.Recording(contender.name(), ofWorker, file));
      String problem = tell(ofWorker, Command.PROFILE, profiling.order(file));
      if (problem != null) {
        return problem;
      }
    }
    return null;
  }

  /**
   * Records both from now on; an earlier recording is dropped.
   *
   * @return why that failed; null if it did not
   */
  @Nullable String record(boolean kernelFrames) throws InterruptedException {
    Sampling sampling = new Sampling(kernelFrames);
    String problem = tell(false, Command.RECORD, sampling);
    return problem == null ? tell(true, Command.RECORD, sampling) : problem;
  }

  /**
   * Ends the recording of {@link #record}, and writes it to its files.
   *
   * @return why that failed; null if it did not
   */
  @Nullable String save() throws InterruptedException {
    String problem = tell(false, Command.SAVE, null);
    return problem == null ? tell(true, Command.SAVE, null) : problem;
  }

  private @Nullable String tell(boolean worker, Command command, @Nullable Object arguments)
      throws InterruptedException {
    Child child = worker ? workers.get(0) : transactor;
    try {
      child.call(command, arguments, Void.class, deadlines.command());
    } catch (ChildException e) {
      lostBecause = e.getMessage();
      return lostBecause;
    }
    return null;
  }

  /** Returns why {@linkplain #isLost it is lost}; null if it is not. */
  @Nullable String whyLost() {
    return lostBecause;
  }

  /** Checks whether the pair can execute no further command. */
  boolean isLost() {
    return lostBecause != null;
  }

  /**
   * Resets the pair: removes the last cargo from memory and disk. {@link #run} does this too unless
   * it has been done. Pairs may do it at the same time.
   */
  void makeReady() throws InterruptedException {
    notReadyBecause = null;
    try {
      if (lostBecause == null) {
        reset(false);
        quiesce();
      }
    } catch (ChildException e) {
      notReadyBecause = e.getMessage();
      lostBecause = e.isLost() ? e.getMessage() : null;
    }
    ready = true;
  }

  /** Makes every worker ship its cargo once. A failure becomes a failed run. */
  Run run(int iteration) throws InterruptedException {
    if (!ready) {
      makeReady();
    }
    ready = false;
    if (notReadyBecause != null) {
      return Run.failed(contender.name(), iteration, notReadyBecause);
    }
    if (lostBecause != null) {
      return Run.failed(
          contender.name(), iteration, "not run, the system was lost before: " + lostBecause);
    }
    try {
      transactor.call(Command.BEGIN, null, Void.class, deadlines.command());
      MachineUse before = machine.get();
      Shipping shipping = new Shipping(transactor, workers, deadlines);
      List<Shipped> shipped = together == null ? shipping.each() : shipping.together();
      ProcessCost transactorCost =
          transactor.call(Command.END, null, ProcessCost.class, deadlines.command());
      MachineUse after = machine.get();
      Run run =
          Run.completed(contender.name(), iteration, arrival().verify(shipped), transactorCost);
      if (before == null || after == null) {
        return run;
      }
      double others = after.othersPercentSince(before);
      return run.withOthers(others, others > MachineUse.DISTURBING_PERCENT);
    } catch (ChildException e) {
      if (e.isLost()) {
        lostBecause = e.getMessage();
      }
      return Run.failed(contender.name(), iteration, e.getMessage());
    }
  }

  private Arrival arrival() {
    return new Arrival(transactor, workers, prepared, extent, together, deadlines.command());
  }

  /** The costs of a burst at each end. */
  record BurstCosts(List<Warmed> workers, ProcessCost transactor) {}

  /**
   * Ships parts of the cargo to a new database, and makes the digests of a run.
   *
   * @throws ChildException if that failed; the pair goes on if the child does
   */
  BurstCosts burst(Burst burst) throws ChildException, InterruptedException {
    try {
      return shipped(burst);
    } catch (ChildException e) {
      lostBecause = e.isLost() ? e.getMessage() : null;
      throw e;
    }
  }

  private BurstCosts shipped(Burst burst) throws ChildException, InterruptedException {
    ready = false;
    reset(true);
    transactor.call(Command.BEGIN, null, Void.class, deadlines.command());
    for (Child worker : workers) {
      worker.send(Command.WARM, burst);
    }
    List<Warmed> warmed = new ArrayList<>();
    for (Child worker : workers) {
      warmed.add(worker.await(Warmed.class, deadlines.run()));
    }
    ProcessCost cost = transactor.call(Command.END, null, ProcessCost.class, deadlines.command());
    arrival().digest();
    return new BurstCosts(warmed, cost);
  }

  /**
   * @param replicas whether all workers keep a copy of the database; otherwise, in one transaction,
   *     only the coordinator does
   */
  private void reset(boolean replicas) throws ChildException, InterruptedException {
    Cluster cluster = transactor.call(Command.RESET, null, Cluster.class, deadlines.command());
    if (cluster == null) {
      return;
    }
    Cluster others = replicas || together == null ? cluster : cluster.withoutReplica();
    for (Child worker : workers) {
      Cluster own = worker == workers.get(0) ? cluster : others;
      worker.call(Command.RESET, own, Void.class, deadlines.command());
    }
  }

  private void quiesce() throws ChildException, InterruptedException {
    for (Child child : children()) {
      child.send(Command.QUIESCE, null);
    }
    for (Child child : children()) {
      child.await(Void.class, deadlines.command());
    }
  }

  @Override
  public void close() {
    workers.forEach(Child::close);
    transactor.close();
  }
}
