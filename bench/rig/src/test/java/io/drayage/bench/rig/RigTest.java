package io.drayage.bench.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.drayage.bench.link.Link;
import io.drayage.bench.result.Run;
import io.drayage.bench.result.Status;
import io.drayage.bench.result.WorkerRun;
import io.drayage.bench.rig.node.CargoSpec;
import io.drayage.bench.rig.node.Delivery;
import io.drayage.bench.rig.node.WorkerMain;
import io.drayage.bench.system.Contender;
import io.drayage.bench.system.Division;
import io.drayage.bench.system.PeerSystem;
import io.drayage.bench.system.SystemOptions;
import io.drayage.bench.system.Systems;
import io.drayage.bench.system.ThrowAwayCertificates;
import io.drayage.database.LoadMode;
import io.drayage.frame.Acknowledgement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rig with real child JVMs and a tiny cargo. */
@Tag("nightly")
@Timeout(180)
final class RigTest {
  private static final long SIZE_BYTES = 200_000;
  private static final String STREAM = "netty:java+none";
  private static final String SEGMENTS = "netty:raw+none@2";

  @TempDir private Path logs;

  private Rig rig(
      RigListener listener, long sizeBytes, int iterations, int warmup, String... systems) {
    return rig(
        plan(sizeBytes, HeapPlan.of(SIZE_BYTES, 0), Delivery.INTO_MEMORY),
        contenders(SystemOptions.DEFAULT, systems),
        TurnPlan.fixed(iterations, warmup),
        listener);
  }

  private Rig rig(RigPlan plan, List<Contender> contenders, TurnPlan turns, RigListener listener) {
    return new Rig(plan, contenders, turns, logs, listener);
  }

  private static RigPlan plan(long sizeBytes, HeapPlan heap, Delivery delivery) {
    return new RigPlan(
        new CargoSpec("thesis", sizeBytes, sizeBytes, 1),
        heap,
        delivery,
        Link.loopback(delivery.workers()));
  }

  private static List<Contender> contenders(SystemOptions options, String... systems) {
    return Arrays.stream(systems)
        .map(Systems.notation()::parse)
        .map(system -> Contender.of(system, options))
        .toList();
  }

  /** Remembers the children and the order of the turns. */
  private static class Recorder implements RigListener {
    final Map<String, List<ProcessHandle>> children = new HashMap<>();
    final List<String> turns = new ArrayList<>();
    final List<@Nullable String> problems = new ArrayList<>();

    @Override
    public void started(
        Contender contender, List<ProcessHandle> workers, ProcessHandle transactor) {
      children.put(contender.name(), List.of(workers.get(0), transactor));
    }

    @Override
    public void prepared(Contender contender, @Nullable String problem) {
      problems.add(problem);
    }

    @Override
    public void ran(Contender contender, Turn turn, Run run) {
      turns.add(contender + " " + turn);
    }

    void killWorker(String system) {
      children.get(system).get(0).destroyForcibly();
    }

    void killTransactor(String system) {
      children.get(system).get(1).destroyForcibly();
    }
  }

  @Test
  void shipsOverMutualTls() throws Exception {
    Recorder recorder = new Recorder();
    List<Run> runs;
    Path folder;
    try (ThrowAwayCertificates certificates = ThrowAwayCertificates.make()) {
      folder = certificates.folder();
      SystemOptions secured = SystemOptions.DEFAULT.withCertificates(folder);
      RigPlan plan = plan(SIZE_BYTES, HeapPlan.of(SIZE_BYTES, 0), Delivery.INTO_MEMORY);
      runs = rig(plan, contenders(secured, SEGMENTS), TurnPlan.fixed(1, 0), recorder).run().runs();
    }

    assertThat(runs).hasSize(1).allSatisfy(run -> assertThat(run.error()).isNull());
    assertThat(runs).extracting(Run::digestOk).containsOnly(true);
    assertThat(folder).as("the keys").doesNotExist();
  }

  @Test
  void runsSystemsInTurnsAndMeasuresThem() throws Exception {
    Recorder recorder = new Recorder();
    List<Run> runs = rig(recorder, SIZE_BYTES, 1, 1, STREAM, SEGMENTS).run().runs();

    assertThat(recorder.problems).hasSize(2).containsOnlyNulls();
    assertThat(recorder.turns)
        .containsExactly(
            STREAM + " warm-up 1",
            SEGMENTS + " warm-up 1",
            SEGMENTS + " turn 1",
            STREAM + " turn 1");
    assertThat(runs).extracting(Run::system).containsExactly(SEGMENTS, STREAM);
    assertThat(runs).extracting(Run::error).containsOnlyNulls();
    assertThat(runs).extracting(Run::status).containsOnly(Status.OK);
    runs.forEach(RigTest::requireFigures);
    for (List<ProcessHandle> pair : recorder.children.values()) {
      for (ProcessHandle child : pair) {
        child.onExit().get(60, TimeUnit.SECONDS);
      }
    }
  }

  @Test
  void comparesPeersWithOurs() throws Exception {
    for (PeerSystem peer : PeerSystem.all()) {
      assumeTrue(peer.whyUnusable().isEmpty(), () -> peer.whyUnusable().orElse(""));
    }
    long sizeBytes = 5_000_000;
    RigPlan plan = plan(sizeBytes, HeapPlan.of(sizeBytes, 0), Delivery.INTO_MEMORY);
    List<Contender> contenders =
        contenders(SystemOptions.DEFAULT, SEGMENTS, "arrow-flight", "socket:kryo-tuned+zstd-mt");
    List<Run> runs = rig(plan, contenders, TurnPlan.fixed(2, 1), new Recorder()).run().runs();

    assertThat(runs).hasSize(6).allSatisfy(run -> assertThat(run.error()).isNull());
    assertThat(runs).extracting(Run::status).containsOnly(Status.OK);
    assertThat(runs).extracting(Run::digestOk).containsOnly(true);
    assertThat(runs).extracting(Run::rawBytes).containsOnly(runs.get(0).rawBytes());
    for (Run run : runs) {
      boolean isPeer = !run.system().startsWith("netty");
      assertThat(run.sqS()).isPositive();
      assertThat(run.wireBytes()).isPositive();
      assertThat(run.commitS() == null).as("no commit of %s", run.system()).isEqualTo(isPeer);
      assertThat(run.phases().drainS() == null).isEqualTo(isPeer);
      assertThat(run.cost().utilisation()).isNotNull();
    }
  }

  private Rig commits(
      Acknowledgement acknowledgement, LoadMode load, int workers, RigListener listener) {
    List<Contender> contenders = contenders(SystemOptions.DEFAULT, STREAM, SEGMENTS);
    HeapPlan heap =
        HeapPlan.ofCommits(
            SIZE_BYTES, 0, workers, true, contenders.stream().map(Contender::system).toList());
    Delivery delivery =
        new Delivery(
            new Delivery.Commits(
                acknowledgement, load, load == LoadMode.OWN && workers == 1, logs.toString(), null),
            workers);
    return rig(plan(SIZE_BYTES, heap, delivery), contenders, TurnPlan.fixed(2, 0), listener);
  }

  @ParameterizedTest
  @CsvSource({"STORED, STORE, 1", "APPLIED, OWN, 2"})
  void measuresWholeCommits(Acknowledgement acknowledgement, LoadMode load, int workers)
      throws Exception {
    List<Run> runs = commits(acknowledgement, load, workers, new Recorder()).run().runs();

    assertThat(runs).extracting(Run::error).containsOnlyNulls();
    assertThat(runs).extracting(Run::system).containsExactly(STREAM, SEGMENTS, SEGMENTS, STREAM);
    for (Run run : runs) {
      assertThat(run.rawBytes()).isCloseTo(workers * SIZE_BYTES, within(SIZE_BYTES / 10 * workers));
      assertThat(run.sqS()).isPositive().isLessThan(run.commitS());
      assertThat(run.phases().byName())
          .containsOnlyKeys(
              "request",
              "serialize",
              "drain",
              "decode",
              "apply",
              "upload",
              "snapshot",
              "publish",
              "load");
      double phasesS =
          run.phases().byName().values().stream().mapToDouble(Double::doubleValue).sum();
      assertThat(phasesS).isCloseTo(run.commitS(), withinPercentage(1));
      requireWorkers(run.workers(), workers);
    }
    requireOnlyLogs();
  }

  @Test
  void measuresOneTransactionOfSeveralWorkersBesideTheirCommitsAndOneWorkers() throws Exception {
    int workers = 2;
    Contender system = contenders(SystemOptions.DEFAULT, SEGMENTS).get(0);
    List<Contender> contenders =
        Stream.of(Division.ALONE, Division.COMMITS, Division.TOGETHER)
            .map(division -> system.dividing(division, workers))
            .toList();
    HeapPlan heap = HeapPlan.ofCommits(SIZE_BYTES, 0, 1, true, List.of(system.system()));
    Delivery delivery =
        new Delivery(
            new Delivery.Commits(
                Acknowledgement.STORED, LoadMode.STORE, false, logs.toString(), null),
            workers);
    List<Run> runs =
        rig(plan(SIZE_BYTES, heap, delivery), contenders, TurnPlan.fixed(2, 1), new Recorder())
            .run()
            .runs();

    assertThat(runs).extracting(Run::error).containsOnlyNulls();
    assertThat(runs)
        .extracting(Run::system)
        .containsOnly(SEGMENTS, SEGMENTS + " commits=2", SEGMENTS + " together=2");
    long whole =
        runs.stream().filter(run -> run.system().equals(SEGMENTS)).findFirst().get().rawBytes();
    assertThat(runs).hasSize(6);
    for (Run run : runs) {
      assertThat(run.digestOk()).isTrue();
      assertThat(run.rawBytes()).as("all of the cargo, %s", run).isEqualTo(whole);
      assertThat(run.sqS()).isPositive().isLessThan(run.commitS());
      requireWorkers(run.workers(), run.system().equals(SEGMENTS) ? 1 : workers);
    }
  }

  @Test
  void aTransactorThatIsKilledLeavesNothingOnTheDisk() throws Exception {
    Recorder killer =
        new Recorder() {
          @Override
          public void ran(Contender contender, Turn turn, Run run) {
            super.ran(contender, turn, run);
            killTransactor(contender.name());
          }
        };
    List<Run> runs = commits(Acknowledgement.STORED, LoadMode.STORE, 1, killer).run().runs();

    assertThat(runs)
        .extracting(Run::status)
        .containsExactly(Status.OK, Status.OK, Status.FAILED, Status.FAILED);
    requireOnlyLogs();
  }

  private void requireOnlyLogs() throws IOException {
    try (Stream<Path> left = Files.list(logs)) {
      assertThat(left).as("logs alone").allMatch(file -> file.toString().endsWith(".log"));
    }
  }

  private static void requireWorkers(@Nullable List<WorkerRun> runs, int workers) {
    if (workers == 1) {
      assertThat(runs).isNull();
    } else {
      assertThat(runs).extracting(WorkerRun::worker).containsExactly(1, 2);
    }
  }

  private static void requireFigures(Run run) {
    long rawBytes = run.rawBytes();
    assertThat(rawBytes).isCloseTo(SIZE_BYTES, within(SIZE_BYTES / 10));
    assertThat(run.digestOk()).isTrue();
    assertThat(run.wireBytes()).isPositive();
    assertThat(run.frames()).isPositive();
    assertThat(run.sqS()).isPositive().isLessThan(run.commitS());
    assertThat(run.cpuS()).isNotNegative();
    assertThat(run.cost().workerPeakBytes()).isGreaterThan(rawBytes / 2);
    assertThat(run.cost().transactorPeakBytes()).isGreaterThan(rawBytes);
    assertThat(run.cost().workerBeyondCargoBytes()).isNotNegative();
  }

  @Test
  void aWorkerThatDiesFailsItsSystemOnly() throws Exception {
    Recorder killer =
        new Recorder() {
          @Override
          public void ran(Contender contender, Turn turn, Run run) {
            super.ran(contender, turn, run);
            if (contender.name().equals(STREAM) && turn.number() == 1) {
              killWorker(STREAM);
            }
          }
        };
    List<Run> runs = rig(killer, SIZE_BYTES, 3, 0, STREAM, SEGMENTS).run().runs();

    assertThat(runs.stream().filter(run -> run.system().equals(SEGMENTS)))
        .hasSize(3)
        .allMatch(run -> run.status() == Status.OK);
    List<Run> failed = runs.stream().filter(run -> run.status() == Status.FAILED).toList();
    assertThat(failed).extracting(Run::system).containsExactly(STREAM, STREAM);
    assertThat(failed.get(0).error()).contains("the worker of " + STREAM, "137", ".log");
    assertThat(failed.get(1).error()).startsWith("not run").contains("137");
  }

  @Test
  void aTransactorThatDiesIsNamedInTheFailedRun() throws Exception {
    Recorder killer =
        new Recorder() {
          @Override
          public void prepared(Contender contender, @Nullable String problem) {
            super.prepared(contender, problem);
            killTransactor(contender.name());
          }
        };
    List<Run> runs = rig(killer, SIZE_BYTES, 1, 0, SEGMENTS).run().runs();
    assertThat(runs).hasSize(1);
    assertThat(runs.get(0).status()).isEqualTo(Status.FAILED);
    assertThat(runs.get(0).error()).contains("the transactor of " + SEGMENTS, "137");
  }

  @Test
  void aSystemThatCannotBePreparedFailsWithTheReason() throws Exception {
    long tooLargeBytes = 2_000_000_000;
    Recorder recorder = new Recorder();
    List<Run> runs = rig(recorder, tooLargeBytes, 1, 1, SEGMENTS).run().runs();
    assertThat(recorder.problems.get(0)).contains("heap");
    assertThat(runs).extracting(Run::iteration).containsExactly(0, 1);
    assertThat(runs).extracting(Run::status).containsOnly(Status.FAILED);
    assertThat(runs.get(1).error()).contains("the worker of " + SEGMENTS, "heap");
  }

  @Test
  void aChildEndsWhenTheRigIsGone() throws Exception {
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                WorkerMain.class.getName())
            .redirectError(logs.resolve("orphan.log").toFile())
            .start();
    child.getOutputStream().close();
    assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(child.exitValue()).isNotZero();
  }
}
