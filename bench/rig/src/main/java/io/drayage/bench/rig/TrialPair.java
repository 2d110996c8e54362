package io.drayage.bench.rig;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.result.Run;
import io.drayage.bench.result.Warmth;
import io.drayage.bench.rig.node.RunFolder;
import io.drayage.bench.system.Contender;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One worker and one transactor that ship by one contender after the other: the processes, what
 * their compilers know and, as long as it is the same, the cargo stay. Cargoes only have to take
 * effect. Not thread-safe.
 *
 * <p>For settings of a system, and for what is changed of it alone: that meets the same processes,
 * and so is told from the system by far less than two JVMs differ. Not for comparing systems in a
 * result: what one leaves in the shared processes may shape the next. {@link Rig} gives each its
 * own.
 */
public final class TrialPair implements AutoCloseable {
  private final RigPlan plan;
  private final String name;
  private final int number;
  private final @Nullable RigProfiling profiling;
  private final Thread watch;
  private volatile boolean ending;
  private @Nullable Pair pair;
  private int starts;

  /** Of the cargoes; null before there are any. */
  private volatile @Nullable RunFolder folder;

  private @Nullable CargoFiles files;

  /**
   * A pair by itself.
   *
   * @param plan its contenders are not looked at, nor its iterations
   */
  public TrialPair(RigPlan plan) {
    this(plan, 1, "trials", null);
  }

  /**
   * One of several.
   *
   * @param plan its contenders are not looked at, nor its iterations
   * @param number from 1, keeps its logs and recordings apart
   * @param name what messages and logs call it
   * @param profiling how it is recorded, after {@link #record}; null for not at all
   */
  public TrialPair(RigPlan plan, int number, String name, @Nullable RigProfiling profiling) {
    this.plan = plan;
    this.number = number;
    this.name = name;
    this.profiling = profiling;
    this.watch = new Thread(this::shutDown, "trials-end");
    Runtime.getRuntime().addShutdownHook(watch);
  }

  /**
   * Ships the cargo some times, over new connections. Processes that were lost are replaced.
   *
   * @return a run each; the first is the first over its connections
   * @throws IOException if the processes cannot be started
   */
  public List<Run> run(Contender contender, int times) throws IOException, InterruptedException {
    if (isLost()) {
      end();
    }
    String problem = prepare(contender, plan, false);
    if (problem != null) {
      return List.of(Run.failed(contender.name(), 1, problem));
    }
    List<Run> runs = new ArrayList<>();
    for (int i = 1; i <= times; i++) {
      runs.add(run(i));
    }
    return runs;
  }

  /**
   * Makes the next runs those of a contender. Starts the processes if there are none; lost ones
   * stay lost until they are {@linkplain #end ended}.
   *
   * @param of names its cargo
   * @param besideOthers whether the contenders before it stay connected, to be returned to
   * @return why it is not ready; null if it is
   * @throws IOException if the processes cannot be started
   */
  public @Nullable String prepare(Contender contender, RigPlan of, boolean besideOthers)
      throws IOException, InterruptedException {
    Assignment assignment = of.assignment(contender, files(), null, null, besideOthers);
    requireRunning();
    Pair ready = pair;
    if (ready != null) {
      return ready.isLost() ? ready.whyLost() : ready.prepare(contender, assignment);
    }
    Pair started = start(contender);
    pair = started;
    String problem = profiling == null ? null : started.profile(profiling, number);
    return problem == null ? started.prepare(contender, assignment) : problem;
  }

  private CargoFiles files() throws IOException {
    if (folder == null) {
      folder = RunFolder.make(null);
      files = new CargoFiles(folder.path());
    }
    return Objects.requireNonNull(files);
  }

  /**
   * Warms the processes for what was prepared last, as {@link Rig} does for measured turns, until
   * they are warm but no longer than that.
   */
  public Warmth warm(Duration limit) throws InterruptedException {
    WarmUp warmUp = new WarmUp(Objects.requireNonNull(pair, "not prepared"));
    warmUp.warm(limit);
    requireRunning();
    return warmUp.afterBursts();
  }

  /**
   * Records from now on, as configured in the constructor; what was recorded before is dropped.
   *
   * @param kernelFrames whether samples of the processor show the kernel's frames
   * @return why that failed; null if it did not
   */
  public @Nullable String record(boolean kernelFrames) throws InterruptedException {
    return Objects.requireNonNull(pair, "not prepared").record(kernelFrames);
  }

  /**
   * Ends what {@link #record} began, and writes it to its files.
   *
   * @return why that failed; null if it did not
   */
  public @Nullable String save() throws InterruptedException {
    return Objects.requireNonNull(pair, "not prepared").save();
  }

  /** Ships the cargo once, as prepared. What goes wrong becomes a failed run. */
  public Run run(int iteration) throws InterruptedException {
    Pair ready = pair;
    if (ready == null) {
      throw new IllegalStateException("not prepared");
    }
    Run run = ready.run(iteration);
    requireRunning();
    return run;
  }

  /** The processes of a JVM that ends are gone, which is nobody's failure. */
  private void requireRunning() throws InterruptedException {
    if (ending) {
      throw new InterruptedException("the JVM is shutting down");
    }
  }

  /** Whether nothing more can be asked of its processes. */
  public boolean isLost() {
    return pair != null && pair.isLost();
  }

  private Pair start(Contender contender) throws IOException {
    starts++;
    // What is left of lost processes is their logs.
    String called = starts == 1 ? name : format("%s, start %d", name, starts);
    ChildStarter starter = new ChildStarter(plan, number, called, contender);
    return starter.pair(text -> {}, this::machineUse);
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
    deleteFolder();
    if (!ending) {
      Runtime.getRuntime().removeShutdownHook(watch);
    }
  }

  private void shutDown() {
    ending = true;
    deleteFolder();
  }

  private void deleteFolder() {
    if (folder != null) {
      folder.closeOrWarn();
    }
  }
}
