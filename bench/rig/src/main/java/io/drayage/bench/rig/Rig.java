package io.drayage.bench.rig;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.child.ControlMessages.Command;
import io.drayage.bench.child.ControlMessages.Listening;
import io.drayage.bench.result.Measurement;
import io.drayage.bench.result.Run;
import io.drayage.bench.result.Status;
import io.drayage.bench.result.Warmth;
import io.drayage.bench.rig.RigListener.Turn;
import io.drayage.bench.rig.node.Delivery;
import io.drayage.bench.rig.node.ZooKeeperMain;
import io.drayage.bench.system.Contender;
import io.drayage.internal.TemporaryFolder;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Compares systems: one pair of processes for each, all started before the first iteration. The
 * iterations alternate (A B C, B C A, ...), so that a change of the machine meets all systems, and
 * no system always follows the same other. Not thread-safe.
 *
 * <p>The child processes measure the figures. They get commands as JSON lines over their standard
 * streams. Meanwhile nothing else of the rig runs except the sampler of their memory.
 *
 * <p>A system that fails, or whose processes die, is recorded as failed, and the others go on. The
 * children end when {@link #run} does, and also when this JVM ends in any way. The stored data is
 * deleted unless this JVM is killed.
 */
public final class Rig {
  /** Prefix of the folders with the stored data of a run. */
  static final String RUN_FOLDER = "drayage-run-";

  private static final List<String> ZOOKEEPER_OPTIONS =
      Stream.concat(
              CollectorChoice.option("Serial").stream(),
              Stream.of("-Xmx64m", "-XX:TieredStopAtLevel=1"))
          .toList();

  private final RigPlan plan;
  private final List<Contender> contenders;
  private final TurnPlan turns;
  private final Path logs;
  private final RigListener listener;
  private final List<Child> children = new CopyOnWriteArrayList<>();
  private final List<Pair> pairs = new ArrayList<>();

  /** The end of the time in which all systems should become warm. */
  private long warmUntilNs;

  /**
   * @param contenders the systems, in the order of their turns; no two of one name
   * @param logs the folder for the children's logs; it exists
   */
  public Rig(
      RigPlan plan, List<Contender> contenders, TurnPlan turns, Path logs, RigListener listener) {
    this.plan = plan;
    this.contenders = contenders;
    this.turns = turns;
    this.logs = logs;
    this.listener = listener;
  }

  /**
   * Runs the comparison. Must be called once only.
   *
   * @throws IOException if a child cannot be started
   */
  public Measurement run() throws IOException, InterruptedException {
    Delivery.Commits commits = plan.delivery().commits();
    Path parent = commits == null ? null : Path.of(commits.folder());
    // Children that are still alive would go on writing.
    try (TemporaryFolder folder = TemporaryFolder.make(parent, RUN_FOLDER, this::killChildren)) {
      try {
        return run(folder, commits == null ? null : commits.in(folder.path()));
      } finally {
        killChildren();
        children.forEach(Child::close);
      }
    }
  }

  private Measurement run(TemporaryFolder folder, Delivery.@Nullable Commits commits)
      throws IOException, InterruptedException {
    Child zookeeper = commits == null ? null : startZooKeeper(folder.path());
    startPairs();
    preparePairs(folder, commits, zookeeper);
    List<WarmUp> warmUps = warm(folder);
    List<Run> runs = takeTurns(folder);
    writeLinkState();
    Map<String, Warmth> warmth = warmth(warmUps, runs);
    return new Measurement(
        runs.stream()
            .map(run -> run.withWarm(warmth.getOrDefault(run.system(), Warmth.UNKNOWN).warm()))
            .toList(),
        warmth);
  }

  private void killChildren() {
    children.forEach(Child::kill);
  }

  private Child startZooKeeper(Path made) throws IOException {
    List<String> command = new ArrayList<>(Child.command(ZooKeeperMain.class, ZOOKEEPER_OPTIONS));
    command.add(made.resolve("zookeeper").toString());
    command.add(plan.link().transactor().address());
    Child zookeeper =
        Child.start(
            "the ZooKeeper",
            plan.link().transactor().command(command),
            logs.resolve("zookeeper.log"));
    children.add(zookeeper);
    return zookeeper;
  }

  private void startPairs() throws IOException {
    for (Contender contender : contenders) {
      Pair pair = plan.start(contender, logs, pairs.size() + 1, contender.name(), this::machineUse);
      pairs.add(pair);
      children.addAll(pair.children());
      listener.started(
          contender,
          pair.workers().stream().map(Child::handle).toList(),
          pair.transactor().handle());
    }
  }

  private @Nullable MachineUse machineUse() {
    return MachineUse.now(children.stream().map(Child::handle).toList());
  }

  private void preparePairs(
      TemporaryFolder folder, Delivery.@Nullable Commits commits, @Nullable Child zookeeper)
      throws IOException, InterruptedException {
    String servers = zookeeper == null ? null : serversOf(zookeeper);
    CargoFiles files = new CargoFiles(folder.path());
    for (Pair pair : pairs) {
      String root = format("%s/system-%d", servers, pairs.indexOf(pair) + 1);
      pair.beginPreparing(
          pair.contender(),
          plan.assignment(
              pair.contender(),
              files,
              commits,
              servers == null ? null : root,
              turns.warmup() == null,
              false));
    }
    for (Pair pair : pairs) {
      String problem = pair.endPreparing();
      folder.requireRunning();
      listener.prepared(pair.contender(), problem);
    }
  }

  private static String serversOf(Child zookeeper) throws IOException, InterruptedException {
    try {
      Listening listening =
          zookeeper.call(Command.PREPARE, null, Listening.class, Child.Deadlines.of(0).prepare());
      return format("%s:%d", listening.host(), listening.port());
    } catch (ChildException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** Runs the first commits one by one, since they are measured, then warms all systems at once. */
  private List<WarmUp> warm(TemporaryFolder folder) throws InterruptedException {
    if (turns.warmup() != null) {
      return List.of();
    }
    List<WarmUp> warmUps = pairs.stream().map(WarmUp::new).toList();
    for (WarmUp warmUp : warmUps) {
      warmUp.firstCommit();
    }
    Duration all = turns.warmUp();
    warmUntilNs = System.nanoTime() + all.toNanos();
    atOnce(warmUps, warmUp -> warmUp.warm(all.dividedBy(2))); // The rest is for turns.
    folder.requireRunning();
    for (int i = 0; i < warmUps.size(); i++) {
      listener.warmed(pairs.get(i).contender(), warmUps.get(i).afterBursts());
    }
    return warmUps;
  }

  private Map<String, Warmth> warmth(List<WarmUp> warmUps, List<Run> runs) {
    Map<String, Warmth> warmth = new HashMap<>();
    for (int i = 0; i < warmUps.size(); i++) {
      warmth.put(pairs.get(i).contender().name(), warmUps.get(i).afterTurns(runs));
    }
    return warmth;
  }

  /** Writes the state of the link while the connections exist. A failure does not fail the runs. */
  private void writeLinkState() throws InterruptedException {
    if (plan.link().isLoopback()) {
      return;
    }
    try {
      Files.writeString(logs.resolve("link.log"), plan.link().state());
    } catch (IOException e) {
      System.getLogger(Rig.class.getName())
          .log(Level.WARNING, "the state of the link is not kept: {0}", e.toString());
    }
  }

  /** Takes turns until enough were warm. Earlier turns are dropped, unless they failed. */
  private List<Run> takeTurns(TemporaryFolder folder) throws InterruptedException {
    List<Run> failed = new ArrayList<>();
    List<Pair> order = new ArrayList<>(pairs);
    for (Run warmUp : takeWarmUpTurns(order, folder)) {
      if (warmUp.status() == Status.FAILED) {
        failed.add(warmUp);
      }
    }
    List<Run> runs = new ArrayList<>();
    WarmTurns warm = WarmTurns.of(runs);
    for (int i = 1; turns.wantsRound(i - 1, warm.runs(), warm.areWarm()); i++) {
      takeTurn(new Turn(false, i), order, runs, folder);
      warm = WarmTurns.of(runs);
    }
    failed.addAll(turns.isFixed() ? runs : warm.runs());
    return failed;
  }

  /** Takes the given number of turns, else until all systems are warm or the time is over. */
  private List<Run> takeWarmUpTurns(List<Pair> order, TemporaryFolder folder)
      throws InterruptedException {
    List<Run> runs = new ArrayList<>();
    Integer count = turns.warmup();
    if (count != null) {
      for (int i = 1; i <= count; i++) {
        takeTurn(new Turn(true, i), order, runs, folder);
      }
      return runs;
    }
    for (int i = 1; i == 1 || System.nanoTime() < warmUntilNs; i++) {
      takeTurn(new Turn(true, i), order, runs, folder);
      List<String> cold = WarmTurns.cold(runs, pairs.size());
      if (cold.isEmpty()) {
        break;
      }
      listener.warming(cold);
    }
    return runs;
  }

  private void takeTurn(Turn turn, List<Pair> order, List<Run> runs, TemporaryFolder folder)
      throws InterruptedException {
    atOnce(order, Pair::makeReady);
    for (Pair pair : order) {
      Run run = pair.run(turn.iteration());
      folder.requireRunning();
      runs.add(run);
      listener.ran(pair.contender(), turn, run);
    }
    Collections.rotate(order, -1);
  }

  /** A task that may run for one while others wait for their disk, or on another CPU. */
  private interface Task<T> {
    void accept(T one) throws InterruptedException;
  }

  private static <T> void atOnce(List<T> all, Task<? super T> task) throws InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(all.size());
    try {
      List<Callable<Void>> calls = new ArrayList<>();
      for (T one : all) {
        calls.add(
            () -> {
              task.accept(one);
              return null;
            });
      }
      for (Future<Void> done : threads.invokeAll(calls)) {
        done.get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("no task fails", e.getCause());
    } finally {
      threads.shutdownNow();
    }
  }
}
