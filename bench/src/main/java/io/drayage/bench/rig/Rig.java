package io.drayage.bench.rig;

import io.drayage.bench.result.Run;
import io.drayage.bench.result.Status;
import io.drayage.bench.rig.RigListener.Turn;
import io.drayage.bench.rig.node.Delivery;
import io.drayage.bench.rig.node.RunFolder;
import io.drayage.bench.system.Contender;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Compares systems: one pair of processes for each, all started before the first iteration, and the
 * iterations in turns (A B C, B C A, ...), so that what changes on the machine meanwhile meets them
 * all, and none always follows the same other. Not thread-safe.
 *
 * <p>A system that fails, or whose processes die, is recorded as failed and the others go on. The
 * children end when {@link #run} does, and also when this JVM does, however that ends; what they
 * have stored is deleted, unless this JVM is killed.
 */
public final class Rig {
  private final RigPlan plan;
  private final RigListener listener;
  private final List<Pair> pairs = new CopyOnWriteArrayList<>();
  private volatile boolean shuttingDown;

  /** Null if nothing is stored. */
  private volatile @Nullable RunFolder folder;

  public Rig(RigPlan plan, RigListener listener) {
    this.plan = plan;
    this.listener = listener;
  }

  /**
   * Runs the comparison. To be called once.
   *
   * @return every measured iteration in the order in which they ran, and the warm-ups that failed
   * @throws IOException if a child cannot be started, or the disk cannot be measured
   */
  public List<Run> run() throws IOException, InterruptedException {
    Thread killer = new Thread(this::shutDown, "rig-kill-children");
    Runtime.getRuntime().addShutdownHook(killer);
    try {
      makeFolder();
      startPairs();
      preparePairs();
      List<Run> runs = takeTurns();
      writeLinkState();
      return runs;
    } finally {
      pairs.forEach(Pair::close);
      deleteFolder();
      if (!shuttingDown) {
        Runtime.getRuntime().removeShutdownHook(killer);
      }
    }
  }

  /** When the JVM ends: the children first, which would go on writing. */
  private void shutDown() {
    shuttingDown = true;
    for (Pair pair : pairs) {
      pair.children().forEach(child -> child.handle().destroyForcibly());
    }
    deleteFolder();
  }

  private void makeFolder() throws IOException {
    Delivery.Commits commits = plan.delivery().commits();
    if (commits != null) {
      folder = new RunFolder(Path.of(commits.folder()));
    } else if (plan.contenders().stream().anyMatch(contender -> contender.system().isPeer())) {
      folder = new RunFolder(Path.of(System.getProperty("java.io.tmpdir")));
    }
  }

  /** The runs are worth more than a folder that is left. */
  private void deleteFolder() {
    RunFolder made = folder;
    if (made == null) {
      return;
    }
    try {
      made.close();
    } catch (IOException e) {
      System.getLogger(Rig.class.getName())
          .log(Level.WARNING, "{0} is left behind: {1}", made.path(), e.toString());
    }
  }

  /** The plan's, in the folder of this run. */
  private Delivery.@Nullable Commits commits() {
    Delivery.Commits commits = plan.delivery().commits();
    RunFolder made = folder;
    return commits == null || made == null ? null : commits.in(made.path());
  }

  private void startPairs() throws IOException {
    for (Contender contender : plan.contenders()) {
      ChildStarter starter = new ChildStarter(plan, pairs.size() + 1, contender.name(), contender);
      Pair pair =
          new Pair(
              contender,
              starter.workers(text -> listener.progressed(contender, text)),
              starter.transactor(),
              Pair.Deadlines.of(plan.cargo().heapBytes() * plan.delivery().workers()));
      pairs.add(pair);
      listener.started(
          contender,
          pair.workers().stream().map(Child::handle).toList(),
          pair.transactor().handle());
    }
  }

  /** One system at a time: together they would want all memory bandwidth at once. */
  private void preparePairs() throws IOException, InterruptedException {
    RunFolder made = folder;
    CargoFiles files = made == null ? null : new CargoFiles(plan, made.path());
    for (Pair pair : pairs) {
      String problem = pair.prepare(pair.contender(), assignment(pair.contender(), files));
      listener.prepared(pair.contender(), problem);
    }
  }

  private Assignment assignment(Contender contender, @Nullable CargoFiles files)
      throws IOException {
    String host = plan.link().transactor().address();
    if (contender.system().isPeer()) {
      listener.progressed(contender, "gets its cargo as a file");
      return Assignment.ofPeer(
          contender.system(),
          Objects.requireNonNull(files).ofWorkers(),
          2 * plan.cargo().heapBytes(),
          host);
    }
    return Assignment.of(plan.job(contender, commits()), plan.delivery().workers());
  }

  /** While the connections are there. The runs are worth more than that. */
  private void writeLinkState() throws InterruptedException {
    if (plan.link().isLoopback()) {
      return;
    }
    try {
      Files.writeString(plan.logs().resolve("link.log"), plan.link().state());
    } catch (IOException e) {
      System.getLogger(Rig.class.getName())
          .log(Level.WARNING, "the state of the link is not kept: {0}", e.toString());
    }
  }

  private List<Run> takeTurns() throws IOException, InterruptedException {
    Delivery.Commits commits = commits();
    if (commits == null) {
      return takeTurns(run -> run);
    }
    try (DiskProbe disk = new DiskProbe(Path.of(commits.folder()))) {
      return takeTurns(
          run -> run.wireBytes() == null ? run : run.withDiskS(disk.writeS(run.wireBytes())));
    }
  }

  /** What else is measured right after a run. */
  private interface Afterwards {
    Run measure(Run run) throws IOException;
  }

  private List<Run> takeTurns(Afterwards afterwards) throws IOException, InterruptedException {
    List<Run> runs = new ArrayList<>();
    List<Pair> order = new ArrayList<>(pairs);
    for (int i = 1; i <= plan.warmup() + plan.iterations(); i++) {
      boolean warmup = i <= plan.warmup();
      Turn turn = new Turn(warmup, warmup ? i : i - plan.warmup());
      for (Pair pair : order) {
        Run run = afterwards.measure(pair.run(turn.iteration()));
        if (shuttingDown) {
          throw new InterruptedException("the JVM is shutting down");
        }
        if (!warmup || run.status() == Status.FAILED) {
          runs.add(run);
        }
        listener.ran(pair.contender(), turn, run);
      }
      Collections.rotate(order, -1);
    }
    return runs;
  }
}
