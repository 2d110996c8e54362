package io.drayage.bench.rig;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.result.Run;
import io.drayage.bench.result.Warmth;
import io.drayage.bench.rig.node.CargoSpec;
import io.drayage.bench.system.Contender;
import io.drayage.internal.TemporaryFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One worker and one transactor that ship for one contender after the other. The processes stay,
 * with their compiled code and, as long as it is the same, the cargo. Cargoes only have to take
 * effect. Not thread-safe.
 *
 * <p>For settings of a system, and for single changes of it: they run in the same processes, so
 * that much smaller differences are visible than between two JVMs. Not for the comparison of
 * systems in a result, because one contender may influence the next in shared processes. {@link
 * Rig} gives each system its own processes.
 */
public final class TrialPair implements AutoCloseable {
  private final RigPlan plan;
  private final Path logs;
  private final String name;
  private final int number;
  private final @Nullable RigProfiling profiling;
  private final TemporaryFolder folder;
  private final CargoFiles files;
  private @Nullable Pair pair;
  private int starts;

  /**
   * Makes a pair without processes yet.
   *
   * @param logs the folder for the children's logs; it exists
   * @param number from 1, which separates its logs and recordings
   * @param name in messages and logs
   * @param profiling for recordings by {@link #record}; null for none
   */
  public TrialPair(
      RigPlan plan, Path logs, int number, String name, @Nullable RigProfiling profiling)
      throws IOException {
    this.plan = plan;
    this.logs = logs;
    this.number = number;
    this.name = name;
    this.profiling = profiling;
    this.folder = TemporaryFolder.make(Rig.RUN_FOLDER);
    this.files = new CargoFiles(folder.path());
  }

  /**
   * Prepares the next runs for a contender. Starts the processes if there are none; lost ones stay
   * lost until they are {@linkplain #end ended}.
   *
   * @param cargo of the runs, no larger than that of the plan
   * @param besideOthers whether earlier contenders stay connected, for their next runs
   * @return why it is not ready; null if it is
   * @throws IOException if the processes cannot be started
   */
  public @Nullable String prepare(Contender contender, CargoSpec cargo, boolean besideOthers)
      throws IOException, InterruptedException {
    Assignment assignment =
        new RigPlan(cargo, plan.heap(), plan.delivery(), plan.link())
            .assignment(contender, files, null, null, false, besideOthers);
    folder.requireRunning();
    String problem = prepare(contender, assignment);
    folder.requireRunning();
    return problem;
  }

  private @Nullable String prepare(Contender contender, Assignment assignment)
      throws IOException, InterruptedException {
    Pair ready = pair;
    if (ready != null) {
      return ready.isLost() ? ready.whyLost() : ready.prepare(contender, assignment);
    }
    Pair started = start(contender);
    pair = started;
    String problem = profiling == null ? null : started.profile(profiling, number);
    return problem == null ? started.prepare(contender, assignment) : problem;
  }

  /**
   * Warms the processes for the last preparation, like {@link Rig} for measured turns, until they
   * are warm or the limit is over.
   */
  public Warmth warm(Duration limit) throws InterruptedException {
    Pair ready = Objects.requireNonNull(pair, "not prepared");
    WarmUp warmUp = new WarmUp(ready);
    long endNs = System.nanoTime() + limit.toNanos();
    warmUp.warm(limit.dividedBy(2)); // The rest is for whole cargoes.
    List<Run> runs = new ArrayList<>();
    List<String> cold;
    do {
      runs.add(ready.run(0));
      folder.requireRunning();
      cold = WarmTurns.cold(runs, 1);
    } while (!cold.isEmpty() && System.nanoTime() < endNs);
    return cold.isEmpty() && !ready.isLost() ? new Warmth(true, null, null) : warmUp.afterBursts();
  }

  /**
   * Records from now on, as configured in the constructor; an earlier recording is dropped.
   *
   * @param kernelFrames whether CPU samples show the kernel's frames
   * @return why that failed; null if it did not
   */
  public @Nullable String record(boolean kernelFrames) throws InterruptedException {
    return Objects.requireNonNull(pair, "not prepared").record(kernelFrames);
  }

  /**
   * Ends the recording of {@link #record}, and writes it to its files.
   *
   * @return why that failed; null if it did not
   */
  public @Nullable String save() throws InterruptedException {
    return Objects.requireNonNull(pair, "not prepared").save();
  }

  /** Ships the cargo once, as prepared. A failure becomes a failed run. */
  public Run run(int iteration) throws InterruptedException {
    Pair ready = pair;
    if (ready == null) {
      throw new IllegalStateException("not prepared");
    }
    Run run = ready.run(iteration);
    folder.requireRunning();
    return run;
  }

  /** Checks whether its processes can execute no further command. */
  public boolean isLost() {
    return pair != null && pair.isLost();
  }

  private Pair start(Contender contender) throws IOException {
    starts++;
    // The logs of lost processes stay.
    String called = starts == 1 ? name : format("%s, start %d", name, starts);
    return plan.start(contender, logs, number, called, this::machineUse);
  }

  private @Nullable MachineUse machineUse() {
    return MachineUse.now(
        Objects.requireNonNull(pair).children().stream().map(Child::handle).toList());
  }

  /** Ends the processes: the next use starts others. */
  public void end() {
    if (pair != null) {
      pair.close();
      pair = null;
    }
  }

  /** Ends the processes. */
  @Override
  public void close() {
    end();
    folder.close();
  }
}
