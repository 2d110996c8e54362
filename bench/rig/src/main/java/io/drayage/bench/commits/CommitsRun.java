package io.drayage.bench.commits;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.progress.StepDisplay;
import io.drayage.bench.rig.ChildException;
import io.drayage.internal.TemporaryFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Times small commits: the systems in turns, one number of callers after the other. */
public final class CommitsRun {
  /** Seconds of the warm-up with one number of callers before the next one follows. */
  private static final int WARM_UP_TURN_S = 10;

  private final CommitsPlan plan;
  private final StepDisplay display;
  private final List<CommitRound> rounds = new ArrayList<>();
  private int steps;

  public CommitsRun(CommitsPlan plan, StepDisplay display) {
    this.plan = plan;
    this.display = display;
  }

  /**
   * Runs all rounds. To be called once.
   *
   * @throws IOException if a system cannot be started, or PostgreSQL is not installed
   */
  public CommitsRun run() throws IOException, ChildException, InterruptedException {
    Path bin = plan.beside() ? requirePostgres() : null;
    List<CommitSystem> systems = new ArrayList<>();
    try (TemporaryFolder folder =
        TemporaryFolder.make(plan.disk(), "drayage-commits-", () -> closeAll(systems))) {
      String store = plan.store() == null ? "fs:" + folder.path().resolve("store") : plan.store();
      try {
        systems.add(NodeSystem.start(folder.path().resolve("zookeeper"), store, plan.logs()));
        if (bin != null) {
          systems.add(PostgresSystem.start(bin, plan.disk(), plan.logs()));
        }
        measure(systems);
      } finally {
        closeAll(systems);
      }
    }
    return this;
  }

  private static Path requirePostgres() throws IOException {
    Path bin = PostgresSystem.installed();
    if (bin == null) {
      throw new IOException(
          "PostgreSQL is not installed: apt-get install postgresql, or leave out --beside");
    }
    return bin;
  }

  private static void closeAll(List<CommitSystem> systems) {
    systems.forEach(CommitSystem::close);
  }

  private void measure(List<CommitSystem> systems)
      throws IOException, ChildException, InterruptedException {
    for (CommitSystem system : systems) {
      warmUp(system);
      step(system.name() + " is ready");
    }
    for (int iteration = 1; iteration <= plan.iterations(); iteration++) {
      for (int callers : plan.callers()) {
        for (CommitSystem system : systems) {
          CommitRound round = round(system, plan.load().withCallers(callers), iteration);
          rounds.add(round);
          Double rate = round.perSecond();
          step(
              format(
                  "%s, %d %s, round %d: %s",
                  system.name(),
                  callers,
                  callers == 1 ? "caller" : "callers",
                  iteration,
                  rate == null ? "FAILED, " + round.error() : format("%,.0f commits/s", rate)));
        }
      }
    }
  }

  /**
   * Warms a system with each number of callers in turn, because their code differs. Before each
   * turn its compilers get the cores for themselves.
   */
  private void warmUp(CommitSystem system)
      throws IOException, ChildException, InterruptedException {
    int count = plan.callers().size();
    int seconds = 0;
    for (int turn = 0; seconds < plan.warmupSeconds(); turn++) {
      int length = Math.min(WARM_UP_TURN_S, plan.warmupSeconds() - seconds);
      int callers = plan.callers().get(count - 1 - turn % count);
      system.quiesce();
      CommitTimings unused = system.run(plan.load().withCallers(callers).lasting(length));
      seconds += length;
    }
  }

  private static CommitRound round(CommitSystem system, CommitLoad load, int iteration)
      throws InterruptedException {
    try {
      system.quiesce();
      ServerCost before = system.cost();
      CommitTimings timings = system.run(load);
      return CommitRound.ok(
          system.name(), load.callers(), iteration, timings, before, system.cost());
    } catch (IOException | ChildException e) {
      return CommitRound.failed(
          system.name(), load.callers(), iteration, String.valueOf(e.getMessage()));
    }
  }

  private void step(String text) {
    steps++;
    display.step(steps, plan.steps(), text);
  }

  /** Every round, failed ones too. */
  public List<CommitRound> rounds() {
    return List.copyOf(rounds);
  }

  /** Returns one row for each number of callers and each system. */
  public List<CommitRow> rows() {
    List<CommitRow> rows = new ArrayList<>();
    List<String> systems = rounds.stream().map(CommitRound::system).distinct().toList();
    for (int callers : plan.callers()) {
      for (String system : systems) {
        rows.add(
            CommitRow.of(
                rounds.stream()
                    .filter(round -> round.callers() == callers && round.system().equals(system))
                    .toList()));
      }
    }
    return rows;
  }
}
