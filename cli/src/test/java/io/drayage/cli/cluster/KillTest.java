package io.drayage.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.crash.CrashPoint;
import io.drayage.transactor.SideBySide;
import io.drayage.transactor.Workload;
import io.drayage.worker.Worker;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Kills processes like kill -9, at every step of the protocol and at random times. */
@Timeout(300)
@Tag("nightly")
class KillTest {
  /** The steps in the order of the protocol; for a step that a term repeats, not the first one. */
  private static final List<String> STEPS =
      List.of(
          "requested:3",
          "arriving:7",
          "held:3",
          "applied:3",
          "uploaded:3",
          "logged:3",
          "stored:3",
          "published:3",
          "elected",
          "recovered",
          "taken_over",
          "full_begun",
          "full_written");

  /** Number of waiting standbys, so that the test does not wait for the start of a JVM. */
  private static final int STANDBYS = 2;

  @TempDir private Path folder;

  @Test
  void nothingIsLostOrDoubledAtWhateverStepThePrimaryDies() throws Exception {
    try (RealCluster cluster = new RealCluster(folder)) {
      AtomicBoolean enough = new AtomicBoolean();
      Deque<ChildNode> standbys = new ArrayDeque<>();
      SideBySide workers = SideBySide.start(2, number -> commitUntil(cluster, number, enough));
      for (int i = 0; i < STEPS.size(); i++) {
        standbys.add(cluster.transactor("t" + i, STEPS.get(i)));
        standbys.getLast().awaitLine("listens at");
        if (standbys.size() > STANDBYS) {
          standbys.remove().awaitCrash();
        }
      }
      ChildNode last = cluster.transactor("last", null);
      for (ChildNode standby : standbys) {
        standby.awaitCrash();
      }
      last.awaitLine("is primary from");
      enough.set(true);
      workers.await();
      assertThat(cluster.history.size()).isGreaterThan(STEPS.size());
      cluster.history.check(cluster.objects);
    }
  }

  private static void commitUntil(RealCluster cluster, int number, AtomicBoolean enough)
      throws Exception {
    Worker worker = cluster.worker("w" + number);
    while (!enough.get()) {
      cluster.commit(worker, number);
    }
    cluster.commit(worker, number);
  }

  @Test
  void aWorkerMayDieAtAnyStep() throws Exception {
    try (RealCluster cluster = new RealCluster(folder)) {
      cluster.transactorHere("t1");
      List<CrashPoint> points =
          List.of(CrashPoint.CONVERTED, CrashPoint.ACKNOWLEDGED, CrashPoint.SEEN);
      List<ChildNode> children = new ArrayList<>();
      for (int number = 0; number < points.size(); number++) {
        CrashPoint point = points.get(number);
        List<String> arguments =
            List.of(cluster.servers(), cluster.store(), Integer.toString(number));
        children.add(
            ChildNode.start("worker-" + point, folder, WorkerChild.class, point + ":3", arguments));
      }
      for (ChildNode child : children) {
        try (child) {
          child.awaitCrash();
        }
      }
      Worker worker = cluster.worker("w");
      int committed = 0;
      for (int number = 0; number < points.size(); number++) {
        int before = Workload.committed(worker.snapshot(), number);
        cluster.commit(worker, number);

        // The visible commits may be those of others.
        assertThat(before).as("%s", points.get(number)).isLessThanOrEqualTo(3);
        committed += before;
        assertThat(Workload.committed(worker.snapshot(), number)).isEqualTo(before + 1);
      }
      assertThat(committed).isGreaterThanOrEqualTo(4);
      Workload.check(worker.snapshot());
    }
  }
}
