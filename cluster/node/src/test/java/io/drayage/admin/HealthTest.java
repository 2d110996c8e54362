package io.drayage.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.coordination.Maintenance;
import io.drayage.coordination.NodeInfo;
import io.drayage.coordination.NodeProgress;
import io.drayage.coordination.PublishedSnapshot;
import io.drayage.database.Lag;
import io.drayage.database.LogPosition;
import io.drayage.objectstore.StoreFailure;
import io.drayage.objectstore.StoreSpace;
import io.drayage.objectstore.WriteFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One test for each trouble. The cluster has the primary t1, the standby t2, the follower f1. */
class HealthTest {
  private static final NodeInfo T1 = new NodeInfo("t1", "127.0.0.1:1");
  private static final NodeInfo T2 = new NodeInfo("t2", "127.0.0.1:2");
  private static final NodeInfo F1 = new NodeInfo("f1", NodeInfo.NO_ADDRESS);
  private static final StoreFailure NO_SPACE =
      new StoreFailure(WriteFailure.FULL, "fs:/s: No space left on device");

  private ClusterState.@Nullable Primary primary = new ClusterState.Primary(T1, 3, true, true);
  private Maintenance maintenance = Maintenance.NEVER;
  private List<ClusterState.Node> nodes = new ArrayList<>();
  private NodeReport own = report(Lag.NONE, null, null);
  private Health.@Nullable Pause pause;
  private @Nullable String silence;
  private @Nullable String storeSilence;
  private boolean isFull;
  private List<String> gone = List.of();
  private @Nullable StoreSpace space;

  HealthTest() {
    nodes.add(node(T1, 80, null, null, Lag.NONE));
    nodes.add(node(T2, 80, null, null, Lag.NONE));
    nodes.add(new ClusterState.Node(F1, new NodeProgress(8, 0), Lag.NONE));
  }

  private static ClusterState.Node node(
      NodeInfo info,
      long databaseBytes,
      @Nullable String failure,
      @Nullable StoreFailure storeFailure,
      Lag lag) {
    return new ClusterState.Node(
        info, new NodeProgress(8, 0, databaseBytes, 200, 0, "fs:/s", failure, storeFailure), lag);
  }

  private static NodeReport report(
      Lag lag, @Nullable String failure, @Nullable StoreFailure storeFailure) {
    return new NodeReport("t2", "standby", null, 8, 8, lag, null, failure, storeFailure, null);
  }

  private ClusterState cluster() {
    LogPosition newest = new LogPosition(new UUID(1, 2), 8, 77);
    return new ClusterState(new PublishedSnapshot(newest, 3), primary, maintenance, nodes);
  }

  private Health seen() {
    return Health.of(
        cluster(), new Health.Sight(own, pause, silence, storeSilence, isFull, gone, space));
  }

  private void assertSees(Health.Level level, String sentence) {
    assertThat(seen()).isEqualTo(new Health(level, sentence, List.of()));
  }

  /** Also what the cluster alone knows, as {@code worker status} prints it. */
  private void assertAllSee(Health.Level level, String sentence) {
    assertSees(level, sentence);
    assertThat(Health.of(cluster())).isEqualTo(new Health(level, sentence, List.of()));
  }

  @Test
  void nothingIsWrong() {
    assertAllSee(Health.Level.FINE, "Nothing is wrong.");
  }

  @Test
  void noNodeWasEverElected() {
    primary = null;
    assertAllSee(
        Health.Level.ERROR,
        "No node is primary yet, so nothing can be committed: wait some seconds, then read the log of t1 or t2.");
    nodes.clear();
    assertAllSee(
        Health.Level.ERROR, "No node is primary, so nothing can be committed: start a transactor.");
  }

  @Test
  void thePrimaryIsGone() {
    primary = new ClusterState.Primary(T1, 3, false, false);
    nodes.remove(0);
    assertAllSee(
        Health.Level.ERROR,
        "The primary t1 is gone, so nothing can be committed until t2 takes over: wait some seconds, then read the log of t2.");
    nodes.remove(0);
    assertAllSee(
        Health.Level.ERROR,
        "The primary t1 is gone and no transactor is left, so nothing can be committed: start a transactor.");
  }

  @Test
  void theElectedNodeDoesNotAcceptCargoes() {
    primary = new ClusterState.Primary(T1, 3, true, false);
    assertAllSee(
        Health.Level.ERROR,
        "t1 is elected and takes over, so nothing can be committed yet: wait some seconds, then read the log of t1.");
    nodes.set(0, node(T1, 80, "snapshot 7 is corrupt", null, Lag.NONE));
    assertAllSee(
        Health.Level.ERROR,
        "t1 is elected and cannot take over, so nothing can be committed (snapshot 7 is corrupt): mend that, or end t1 so that another transactor takes over.");
  }

  @Test
  void aNodeCannotGoOn() {
    nodes.set(1, node(T2, 80, "snapshot 7 is corrupt", null, Lag.NONE));
    String sentence =
        "t2 cannot go on (snapshot 7 is corrupt): read its log, and check the store with 'drayage snapshot verify'.";
    assertThat(Health.of(cluster()).sentence()).isEqualTo(sentence);
    assertThat(seen().sentence()).as("t2 knows best about itself").isEqualTo(Health.FINE);

    own = report(Lag.NONE, "snapshot 7 is corrupt", null);
    assertSees(Health.Level.ERROR, sentence);
  }

  @Test
  void thisNodeGetsNoAnswerFromZooKeeper() {
    silence = "no connection";
    assertSees(
        Health.Level.ERROR,
        "t2 gets no answer from ZooKeeper (no connection): start ZooKeeper, or mend the network to it.");
  }

  @Test
  void thisNodeGetsNoAnswerFromTheStore() {
    storeSilence = "timeout";
    assertSees(
        Health.Level.ERROR,
        "t2 gets no answer from the store (timeout): look at the store and the network to it.");
  }

  @Test
  void theClusterIsNotReadYet() {
    assertThat(
            Health.of(null, new Health.Sight(own, null, null, null, false, List.of(), null))
                .sentence())
        .isEqualTo("The cluster is not read yet: wait some seconds.");
  }

  @Test
  void theStoreIsFull() {
    nodes.set(0, node(T1, 80, null, NO_SPACE, Lag.NONE));
    assertAllSee(
        Health.Level.ERROR,
        "t1 cannot write the store, because the store has no space left, so commits wait: enlarge the file system or the quota, and commits go on; delete no object by hand.");
  }

  @ParameterizedTest
  @CsvSource({
    "DENIED, 'because a right is missing, so commits wait:', restore the right to write there.",
    "UNREACHABLE, 'because the server does not answer, so commits wait:', look at the server of the store and the network to it.",
    "OTHER, 'because of an error (I/O error), so commits are refused:', look at the disk."
  })
  void theStoreCannotBeWritten(WriteFailure why, String effect, String remedy) {
    own = report(Lag.NONE, null, new StoreFailure(why, "I/O error"));
    assertThat(seen().sentence()).contains(effect).endsWith(remedy);
  }

  @Test
  void aStandbyLagsBeforeAFollower() {
    Lag far = new Lag(Lag.LIMIT_SNAPSHOTS + 1, 0);
    nodes.set(2, new ClusterState.Node(F1, new NodeProgress(1, 0), far));
    assertAllSee(
        Health.Level.WARNING,
        "f1, a follower, is 21 snapshots behind: see whether its process stands still, or give it more memory or a faster store.");
    nodes.set(0, node(T1, 80, null, null, new Lag(1, Lag.LIMIT_MS + 1)));
    assertAllSee(
        Health.Level.WARNING,
        "t1, a standby, is 1 snapshot behind: see whether its process stands still, or give it more memory or a faster store.");
  }

  @Test
  void theDatabaseIsNearItsLimit() {
    nodes.set(1, node(T2, 163, null, null, Lag.NONE));
    assertAllSee(
        Health.Level.WARNING,
        "The database uses 81 % of the limit of t2: raise heap and --max-database, standbys first, before commits are refused as FULL.");
  }

  @Test
  void theDatabaseIsFull() {
    String sentence =
        "The database has reached its limit, and commits are refused as FULL: raise heap and --max-database of every transactor, standbys first, or delete rows.";
    isFull = true;
    assertSees(Health.Level.ERROR, sentence);
    isFull = false;
    nodes.set(0, node(T1, 200, null, null, Lag.NONE));
    assertAllSee(Health.Level.ERROR, sentence);
  }

  @Test
  void theClusterIsInMaintenance() {
    maintenance = Maintenance.NEVER.next(true, "the store moves");
    assertAllSee(
        Health.Level.WARNING,
        "The cluster is in maintenance, so new commits are refused (the store moves): end it with 'drayage transactor maintenance off'.");
  }

  @Test
  void thisNodeStoodStill() {
    pause = new Health.Pause(3_205, 3_118);
    assertSees(
        Health.Level.WARNING,
        "t2 stood still for 3,205 ms, of which the garbage collector took 3,118, and may count as dead the next time: give it more memory or processors, or a longer --session-timeout-ms.");
  }

  @Test
  void noStandbyIsLeft() {
    gone = List.of("t3");
    assertSees(Health.Level.FINE, Health.FINE);
    nodes.remove(1);
    assertSees(
        Health.Level.WARNING,
        "No standby is left, because t3 left the cluster: start it again, or no node takes over if t1 dies.");
  }

  @Test
  void theStoreHasLittleSpace() {
    space = new StoreSpace(5, 100);
    assertSees(Health.Level.FINE, Health.FINE);
    space = new StoreSpace(4_000_000, 100_000_000);
    assertSees(
        Health.Level.WARNING,
        "The file system of the store has only 4.0 MB left: enlarge it before commits have to wait.");
  }

  @Test
  void theWorstTroubleIsFirstAndTheOthersFollow() {
    maintenance = Maintenance.NEVER.next(true, "the store moves");
    pause = new Health.Pause(3_205, 0);
    nodes.set(0, node(T1, 80, null, NO_SPACE, Lag.NONE));
    Health health = seen();
    assertThat(health.level()).isEqualTo(Health.Level.ERROR);
    assertThat(health.sentence()).startsWith("t1 cannot write the store");
    assertThat(health.more())
        .satisfiesExactly(
            second -> assertThat(second).startsWith("The cluster is in maintenance"),
            third -> assertThat(third).startsWith("t2 stood still"));
  }

  @Test
  void aReasonOfStrangersIsPrintableAndShort() {
    own = report(Lag.NONE, "\u001b[31m" + "x".repeat(1_000), null);
    assertThat(seen().sentence()).contains("(\\u001B[31mxxx", "x...)").hasSizeLessThan(400);
  }
}
