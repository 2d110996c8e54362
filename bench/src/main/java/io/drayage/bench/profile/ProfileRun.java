package io.drayage.bench.profile;

import io.drayage.bench.cargoes.CargoSource;
import io.drayage.bench.cargoes.CargoSources;
import io.drayage.bench.environment.Environment;
import io.drayage.bench.progress.RunProgress;
import io.drayage.bench.progress.StepDisplay;
import io.drayage.bench.result.JsonFile;
import io.drayage.bench.result.ResultFolder;
import io.drayage.bench.result.Run;
import io.drayage.bench.rig.RigPlan;
import io.drayage.bench.rig.RigProfiling;
import io.drayage.bench.system.Contender;
import io.drayage.profiling.FrameRules;
import io.drayage.profiling.ProfilerEvent;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One session: records profiles of every system, removes every suspect alone, and leaves a page
 * with flame graphs. Not thread-safe.
 */
public final class ProfileRun {
  /** The page's name in the session's folder. */
  public static final String PAGE = "index.html";

  private static final String RESULT = "profile.json";
  private static final String RECORDINGS = "recordings";
  private static final List<String> KINDS = List.of("study", "ours", "other");
  private static final int TOP_FRAMES = 15;

  private final ProfilePlan plan;
  private final CargoSource source;
  private final PrintWriter err;
  private final RigProfiling profiling;

  private ProfileRun(ProfilePlan plan, CargoSource source, PrintWriter err) {
    this.plan = plan;
    this.source = source;
    this.err = err;
    this.profiling =
        new RigProfiling(plan.events(), plan.kernelFrames(), plan.folder().resolve(RECORDINGS));
  }

  /**
   * Makes the folder of a session. Files of an earlier one are deleted: should this one be
   * interrupted, they would pass for its own.
   *
   * @return the folder for the processes' logs
   * @throws IOException if it cannot be made
   */
  public static Path openFolder(Path folder) throws IOException {
    Path logs = ResultFolder.open(folder).logs();
    Files.deleteIfExists(folder.resolve(PAGE));
    Files.deleteIfExists(folder.resolve(RESULT));
    ResultFolder.deleteAll(Files.createDirectories(folder.resolve(Graphs.FOLDER)), "*.html");
    ResultFolder.deleteAll(Files.createDirectories(folder.resolve(RECORDINGS)), "*.jfr*");
    return logs;
  }

  /**
   * Runs a session.
   *
   * @param plan whose folder is open
   * @param source of the recorded cargo
   * @param err receives the progress
   * @throws IOException if a file cannot be read or written
   */
  public static ProfileResult run(ProfilePlan plan, CargoSource source, PrintWriter err)
      throws IOException, InterruptedException {
    Path folder = plan.folder();
    ProfileRun run = new ProfileRun(plan, source, err);
    ProfileResult result = run.analyze(run.measure());
    ProfilePage.of(result).writeTo(folder.resolve(PAGE));
    JsonFile.write(folder.resolve(RESULT), result);
    return result;
  }

  private List<SystemSession> measure() throws IOException, InterruptedException {
    List<Contender> contenders = plan.recorded().contenders();
    int steps = contenders.stream().mapToInt(plan::steps).sum();
    report("shipping " + source.describe());
    List<SystemSession> sessions = new ArrayList<>();
    try (StepDisplay display = StepDisplay.onStandardError("profile", steps, err)) {
      RunProgress progress = new RunProgress(display, steps);
      for (Contender contender : contenders) {
        SystemSession session =
            new SystemSession(plan, contender, sessions.size() + 1, profiling, progress);
        session.run();
        sessions.add(session);
      }
    }
    return sessions;
  }

  private void report(String line) {
    err.println(line);
    err.flush();
  }

  private ProfileResult analyze(List<SystemSession> sessions) throws IOException {
    report("reading the recordings");
    List<Run> runs = all(sessions, SystemSession::runs);
    List<Run> recordedRuns = all(sessions, SystemSession::recordedRuns);
    List<Outcome> outcomes = all(sessions, SystemSession::outcomes);
    FrameRules rules = FrameRules.ofDrayage();
    List<ProfiledEnd> ends = ProfiledEnd.read(profiling.recordings(), rules);
    List<SuspectRow> suspects = new ArrayList<>();
    List<Timeline> timelines = new ArrayList<>();
    for (int i = 0; i + 1 < ends.size(); i += 2) {
      ProfiledEnd worker = ends.get(i);
      ProfiledEnd transactor = ends.get(i + 1);
      if (worker.shipments().isEmpty()) {
        continue; // Every iteration has failed: the runs tell why.
      }
      timelines.add(Timeline.of(worker, transactor));
      suspects.addAll(suspects(worker, transactor, rules, runs, outcomes));
    }
    return new ProfileResult(
        ProfileResult.SCHEMA,
        Environment.capture(),
        config(),
        runs,
        recordedRuns,
        all(sessions, SystemSession::experimentRuns),
        plan.systems().stream().map(system -> Overhead.of(system, runs, recordedRuns)).toList(),
        ends.stream().map(this::recording).toList(),
        suspects,
        outcomes,
        ends.stream().flatMap(end -> TopFrame.of(end, TOP_FRAMES).stream()).toList(),
        timelines,
        Graphs.write(plan.folder(), ends, plan.baseline()));
  }

  private static <T> List<T> all(
      List<SystemSession> sessions, Function<SystemSession, List<T>> what) {
    return sessions.stream().map(what).flatMap(List::stream).toList();
  }

  private static List<SuspectRow> suspects(
      ProfiledEnd worker,
      ProfiledEnd transactor,
      FrameRules rules,
      List<Run> runs,
      List<Outcome> outcomes) {
    Double sqS = Overhead.median(worker.system(), runs);
    boolean kernel = worker.profile().showsKernel() || transactor.profile().showsKernel();
    List<Outcome> own =
        outcomes.stream().filter(outcome -> outcome.system().equals(worker.system())).toList();
    return Stream.concat(rules.rules().stream(), Stream.of(FrameRules.UNKNOWN))
        .map(
            rule ->
                SuspectRow.of(
                    rule, worker, transactor, kernel || !rules.needsKernel(rule), sqS, own))
        .filter(row -> !row.kind().equals("other") || !row.isNothing())
        .sorted(Comparator.comparing(row -> KINDS.indexOf(row.kind())))
        .toList();
  }

  private ProfileResult.RecordingSummary recording(ProfiledEnd end) {
    return new ProfileResult.RecordingSummary(
        end.system(),
        end.side(),
        plan.folder().toAbsolutePath().relativize(end.file()).toString(),
        end.shipments().size(),
        end.profile().samplesOf(ProfilerEvent.CPU).count(),
        end.cpuS(),
        end.shares().waitNs() / 1e9,
        end.shares().row(FrameRules.UNKNOWN).cpu(),
        end.shares().row(FrameRules.UNKNOWN).waiting(),
        end.profile().eventCounts().segments(),
        end.profile().eventCounts().creditStalls(),
        end.profile().eventCounts().queueDepths(),
        end.profile().collections().size());
  }

  private ProfileResult.Config config() {
    RigPlan recorded = plan.recorded();
    boolean sizeCounts = CargoSources.sizeCounts(recorded.cargo().notation());
    @Nullable Long size = sizeCounts ? recorded.cargo().sizeBytes() : null;
    @Nullable Long smallerSize = sizeCounts ? plan.smaller().cargo().sizeBytes() : null;
    return new ProfileResult.Config(
        size,
        smallerSize,
        recorded.cargo().notation(),
        source.describe(),
        recorded.cargo().seed(),
        plan.systems(),
        plan.baseline(),
        plan.events().stream().map(ProfilerEvent::word).toList(),
        profiling.statements(),
        recorded.iterations(),
        recorded.warmup(),
        plan.experiments(),
        plan.experimentWarmup(),
        recorded.link().text(),
        recorded.link().facts());
  }
}
