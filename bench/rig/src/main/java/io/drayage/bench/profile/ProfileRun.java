package io.drayage.bench.profile;

import io.drayage.bench.cargoes.CargoSource;
import io.drayage.bench.cargoes.CargoSources;
import io.drayage.bench.progress.RunProgress;
import io.drayage.bench.progress.StepDisplay;
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
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One session: records profiles of every system, removes every suspect alone, and writes a page
 * with flame graphs. Not thread-safe.
 */
public final class ProfileRun {
  /** Name of the page in the session's folder. */
  public static final String PAGE = "index.html";

  private static final String RESULT = "profile.json";
  static final String RECORDINGS = "recordings";
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
    this.profiling = new RigProfiling(plan.events(), plan.folder().resolve(RECORDINGS));
  }

  /**
   * Makes the folder of a session. Deletes files of an earlier session, because they would pass for
   * files of this one if it were interrupted.
   *
   * @throws IOException if the folder cannot be made, or another run uses it
   */
  public static ResultFolder openFolder(Path folder) throws IOException {
    ResultFolder opened = ResultFolder.open(folder);
    Files.deleteIfExists(folder.resolve(PAGE));
    Files.deleteIfExists(folder.resolve(RESULT));
    ResultFolder.deleteAll(Files.createDirectories(folder.resolve(Graphs.FOLDER)), "*.html");
    ResultFolder.deleteAll(Files.createDirectories(folder.resolve(RECORDINGS)), "*.jfr*");
    return opened;
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
    result.toJson().writeTo(folder.resolve(RESULT));
    return result;
  }

  private List<SystemSession> measure() throws IOException, InterruptedException {
    report("shipping " + source.describe());
    List<SystemSession> sessions = new ArrayList<>();
    List<Contender> contenders = plan.contenders();
    int steps = contenders.stream().mapToInt(plan::steps).sum();
    try (StepDisplay display = StepDisplay.onStandardError("profile", steps, err)) {
      RunProgress progress = new RunProgress(display, steps);
      Instant end = Instant.now().plus(plan.budget());
      for (Contender contender : contenders) {
        SystemSession session =
            new SystemSession(plan, contender, sessions.size() + 1, profiling, progress);
        Duration left = Duration.between(Instant.now(), end);
        session.run(
            plan.share(left, contender, contenders.subList(sessions.size(), contenders.size())));
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
    List<Outcome> outcomes = all(sessions, SystemSession::outcomes);
    FrameRules rules = FrameRules.ofDrayage();
    List<ProfiledEnd> ends = ProfiledEnd.read(profiling.recordings(), rules);
    List<Overhead> overheads =
        sessions.stream().map(SystemSession::overhead).filter(Objects::nonNull).toList();
    List<SuspectRow> suspects = new ArrayList<>();
    for (int i = 0; i + 1 < ends.size(); i += 2) {
      ProfiledEnd worker = ends.get(i);
      ProfiledEnd transactor = ends.get(i + 1);
      if (worker.iterations() > 0) { // Otherwise every iteration has failed: see the runs.
        suspects.addAll(suspects(worker, transactor, rules, runs, overheads, outcomes));
      }
    }
    return new ProfileResult(
        plan.systems(),
        plan.profiler(),
        config(),
        runs,
        all(sessions, SystemSession::recordedRuns),
        all(sessions, SystemSession::experimentRuns),
        overheads,
        ends,
        suspects,
        outcomes,
        ends.stream().flatMap(end -> TopFrame.of(end, TOP_FRAMES).stream()).toList(),
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
      List<Overhead> overheads,
      List<Outcome> outcomes) {
    SuspectRow.Spent spent =
        SuspectRow.Spent.of(
            runs.stream().filter(run -> run.system().equals(worker.system())).toList());
    String untold =
        SuspectRow.untold(
            worker,
            transactor,
            overheads.stream()
                .filter(overhead -> overhead.system().equals(worker.system()))
                .findFirst()
                .orElse(null));
    boolean kernel = worker.profile().showsKernel() && transactor.profile().showsKernel();
    List<Outcome> own =
        outcomes.stream().filter(outcome -> outcome.system().equals(worker.system())).toList();
    return Stream.concat(rules.rules().stream(), Stream.of(FrameRules.UNKNOWN))
        .map(
            rule ->
                SuspectRow.of(
                    rule,
                    worker,
                    transactor,
                    kernel || !rules.needsKernel(rule) || untold != null
                        ? untold
                        : SuspectRow.NO_KERNEL,
                    spent,
                    own))
        .filter(row -> row.isSuspect() || !row.isNothing())
        .sorted(Comparator.comparing(row -> KINDS.indexOf(row.kind())))
        .toList();
  }

  private Map<String, @Nullable Object> config() {
    RigPlan recorded = plan.recorded();
    boolean sizeCounts = CargoSources.sizeCounts(recorded.cargo().notation());
    Map<String, @Nullable Object> config = new LinkedHashMap<>();
    config.put("sizeBytes", sizeCounts ? recorded.cargo().sizeBytes() : null);
    config.put("experimentSizeBytes", sizeCounts ? plan.smaller().sizeBytes() : null);
    config.put("cargo", recorded.cargo().notation());
    config.put("cargoDescription", source.describe());
    config.put("seed", recorded.cargo().seed());
    config.put("systems", plan.systems());
    config.put("baseline", plan.baseline());
    config.put("events", plan.events().stream().map(ProfilerEvent::word).toList());
    config.put("profiler", plan.profiler());
    config.put("iterations", plan.iterations());
    config.put("experimentTurns", plan.experiments());
    config.put("budgetS", plan.budget().toSeconds());
    config.put("link", recorded.link().text());
    config.put("linkFacts", recorded.link().facts());
    return config;
  }
}
