package io.drayage.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.frame.OnConflict;
import io.drayage.isolation.Anomaly.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hand-made histories, each with one anomaly, or with an allowed case that looks like one. */
class IsolationCheckerTest {
  private final TransactionHistory history = new TransactionHistory();
  private long clock;
  private int transactions;

  /** A transaction. Times are counted up by default. */
  private final class Made {
    private final UUID id = new UUID(0, ++transactions);
    private final Map<String, List<Long>> reads = new LinkedHashMap<>();
    private final Map<String, List<Long>> appends = new LinkedHashMap<>();
    private final long base;
    private OnConflict onConflict = OnConflict.REJECT;
    private String session = "session-" + id;
    private long atNs = ++clock;

    Made(long base) {
      this.base = base;
    }

    Made reads(String list, long... elements) {
      reads.put(list, boxed(elements));
      return this;
    }

    Made appends(String list, long... elements) {
      appends.put(list, boxed(elements));
      return this;
    }

    Made overwrites() {
      onConflict = OnConflict.OVERWRITE;
      return this;
    }

    Made in(String name) {
      session = name;
      return this;
    }

    /** Sets a send time before that of earlier transactions. */
    Made at(long time) {
      atNs = time;
      return this;
    }

    Made begins() throws IOException {
      history.begun(new BegunTransaction(id, session, atNs, base, onConflict, reads, appends));
      return this;
    }

    void ends(TransactionOutcome outcome, long timestamp) throws IOException {
      begins();
      history.ended(new Ended(id, ++clock, outcome, timestamp, "why"));
    }

    void commits(long timestamp) throws IOException {
      ends(TransactionOutcome.COMMITTED, timestamp);
    }

    void logged(long timestamp) throws IOException {
      history.logged(new Logged(id, timestamp));
    }

    private List<Long> boxed(long... elements) {
      return LongStream.of(elements).boxed().toList();
    }
  }

  private Made on(long base) {
    return new Made(base);
  }

  /** Makes a transaction at the same moment as all others. */
  private Made atOnce(long base) {
    return new Made(base).at(0);
  }

  private List<Kind> kinds() {
    return kinds(false);
  }

  private List<Kind> kinds(boolean faults) {
    return IsolationChecker.check(history, faults).stream().map(Anomaly::kind).distinct().toList();
  }

  @Test
  void whatFollowsOneAnotherIsFine() throws IOException {
    Made first = on(1).reads("x").appends("x", 1);
    first.commits(2);
    first.logged(2);
    Made second = on(2).reads("x", 1).appends("x", 2, 3);
    second.commits(3);
    second.logged(3);
    on(3).reads("x", 1, 2, 3).begins();
    assertThat(kinds()).isEmpty();
  }

  @Test
  void writeSkewIsAllowed() throws IOException {
    atOnce(1).reads("x").reads("y").appends("x", 1).commits(2);
    atOnce(1).reads("x").reads("y").appends("y", 2).commits(3);
    on(3).reads("x", 1).reads("y", 2).begins();
    assertThat(kinds()).isEmpty();
  }

  @Test
  void anOldSnapshotMayBeRead() throws IOException {
    on(1).reads("x").appends("x", 1).commits(2);
    on(1).reads("x").begins();
    on(2).reads("x", 1).begins();
    assertThat(kinds()).isEmpty();
  }

  @Test
  void writesInTwoOrdersAreACycle() throws IOException {
    atOnce(1).appends("x", 1).appends("y", 11).commits(2);
    atOnce(1).appends("x", 2).appends("y", 12).commits(3);
    on(3).reads("x", 1, 2).reads("y", 12, 11).begins();
    assertThat(kinds()).containsExactly(Kind.G0);
  }

  @Test
  void anAbortedWriteMustNotBeRead() throws IOException {
    atOnce(1).appends("x", 1).ends(TransactionOutcome.CONFLICT, 0);
    on(1).reads("x", 1).begins();
    assertThat(kinds()).containsExactly(Kind.G1A);
  }

  @Test
  void anIntermediateWriteMustNotBeRead() throws IOException {
    atOnce(1).appends("x", 1, 2).commits(2);
    on(1).reads("x", 1).begins();
    assertThat(kinds()).containsExactly(Kind.G1B);
  }

  @Test
  void readsOfOneAnotherAreACycle() throws IOException {
    atOnce(1).appends("x", 1).reads("y", 2).commits(2);
    atOnce(1).appends("y", 2).reads("x", 1).commits(3);
    assertThat(kinds()).containsExactly(Kind.G1C);
  }

  /** A transaction sees half of another's writes. */
  @Test
  void aReadOfTwoSnapshotsIsASingleAntidependency() throws IOException {
    atOnce(1).appends("x", 1).appends("y", 2).commits(2);
    atOnce(1).reads("x", 1).reads("y").begins();
    on(2).reads("y", 2).begins();
    assertThat(kinds()).containsExactly(Kind.G_SINGLE);
  }

  /** Two readers see two independent writes in different orders. */
  @Test
  void aLongForkIsACycleOfAntidependenciesThatAreNotAdjacent() throws IOException {
    atOnce(1).appends("x", 1).commits(2);
    atOnce(1).appends("y", 2).commits(3);
    atOnce(2).reads("x", 1).reads("y").begins();
    atOnce(2).reads("x").reads("y", 2).begins();
    assertThat(kinds()).containsExactly(Kind.G_NONADJACENT);
  }

  @Test
  void anUpdateIsLost() throws IOException {
    atOnce(1).reads("x").appends("x", 1).commits(2);
    atOnce(1).reads("x").appends("x", 2).commits(3);
    on(3).reads("x", 2).begins();
    assertThat(kinds()).contains(Kind.LOST_UPDATE);
  }

  @Test
  void overwritingLosesUpdatesAndIsAllowed() throws IOException {
    Made first = atOnce(1).reads("x").appends("x", 1);
    first.commits(2);
    first.logged(2);
    Made second = atOnce(1).reads("x").appends("x", 2).overwrites();
    second.commits(3);
    second.logged(3);
    on(3).reads("x", 2).begins();
    assertThat(kinds()).isEmpty();
  }

  @Test
  void noOrderExplainsTheReads() throws IOException {
    atOnce(1).appends("x", 1).commits(2);
    atOnce(1).appends("x", 2).commits(3);
    atOnce(2).reads("x", 1).begins();
    atOnce(3).reads("x", 2).begins();
    assertThat(kinds()).containsExactly(Kind.INCOMPATIBLE_ORDER);
  }

  @Test
  void elementsAreWrittenOnce() throws IOException {
    on(1).appends("x", 1).commits(2);
    on(2).reads("x", 1, 1).reads("y", 3).begins();
    assertThat(kinds()).contains(Kind.DUPLICATE, Kind.UNWRITTEN);
  }

  @Test
  void aSessionSeesItsOwnWrites() throws IOException {
    on(1).appends("x", 1).in("s").commits(2);
    on(1).reads("x").in("s").begins();
    on(2).reads("x", 1).begins();
    assertThat(kinds()).containsExactly(Kind.SESSION);
  }

  @Test
  void aSessionDoesNotGoBack() throws IOException {
    atOnce(1).appends("x", 1).commits(2);
    on(2).reads("x", 1).in("s").begins();
    on(1).reads("x").in("s").begins();
    assertThat(kinds()).containsExactly(Kind.SESSION);
  }

  /** Shown by the reads alone, which give the order of the two. */
  @Test
  void whatIsSentAfterAnAnswerComesAfterIt() throws IOException {
    on(1).appends("x", 1).reads("y", 2).commits(3);
    on(1).appends("y", 2).ends(TransactionOutcome.UNKNOWN, 0);
    assertThat(kinds()).containsExactly(Kind.REAL_TIME);
  }

  @Test
  void timestampsRiseInRealTime() throws IOException {
    on(1).appends("x", 1).commits(3);
    on(1).appends("y", 2).commits(2);
    assertThat(kinds()).containsExactly(Kind.REAL_TIME);
  }

  @Test
  void twoHaveOneTimestamp() throws IOException {
    atOnce(1).appends("x", 1).commits(2);
    atOnce(1).appends("y", 2).commits(2);
    assertThat(kinds()).containsExactly(Kind.LOG);
  }

  @Test
  void anAcknowledgedCommitIsInTheLog() throws IOException {
    Made first = atOnce(1).appends("x", 1);
    first.commits(2);
    first.logged(2);
    Made second = atOnce(1).appends("y", 2);
    second.commits(3);
    assertThat(kinds()).containsExactly(Kind.LOST);
    second.logged(4);
    assertThat(kinds()).containsExactly(Kind.LOST);
  }

  @Test
  void anAbortedOneIsNotInTheLog() throws IOException {
    Made made = on(1).appends("x", 1);
    made.ends(TransactionOutcome.REJECTED, 0);
    made.logged(2);
    assertThat(kinds()).containsExactly(Kind.NOT_ABORTED);
  }

  @Test
  void anUnknownOneMayBeInTheLogOrNot() throws IOException {
    Made first = on(1).appends("x", 1).begins();
    first.logged(2);
    on(1).appends("y", 2).ends(TransactionOutcome.UNKNOWN, 0);
    on(2).reads("x", 1).reads("y").begins();
    assertThat(kinds()).isEmpty();
  }

  @Test
  void aReadIsOfItsBase() throws IOException {
    Made made = on(1).appends("x", 1);
    made.commits(2);
    made.logged(2);
    on(2).reads("x").begins();
    assertThat(kinds()).containsExactly(Kind.WRONG_SNAPSHOT);
  }

  @Test
  void theFirstCommitterWins() throws IOException {
    Made first = atOnce(1).appends("x", 1);
    first.commits(2);
    first.logged(2);
    Made second = atOnce(1).appends("x", 2);
    second.commits(3);
    second.logged(3);
    assertThat(kinds()).containsExactly(Kind.FIRST_COMMITTER);
  }

  @Test
  void aConflictHasAReason() throws IOException {
    Made first = atOnce(1).appends("x", 1);
    first.commits(2);
    first.logged(2);
    atOnce(1).appends("x", 2).ends(TransactionOutcome.CONFLICT, 0);
    assertThat(kinds()).isEmpty();
    atOnce(2).appends("x", 3).ends(TransactionOutcome.CONFLICT, 0);
    assertThat(kinds()).containsExactly(Kind.UNJUSTIFIED_CONFLICT);
  }

  /** The first one was applied and lost, and had a conflict itself when it was sent again. */
  @Test
  void aConflictMayHaveNoWinnerWhereThereAreFaults() throws IOException {
    Made first = on(1).appends("x", 1).begins();
    Made second = on(1).appends("x", 2).begins();
    history.ended(new Ended(second.id, ++clock, TransactionOutcome.CONFLICT, 0, "why"));
    history.ended(new Ended(first.id, ++clock, TransactionOutcome.UNKNOWN, 0, "why"));
    Made third = on(1).appends("y", 3);
    third.commits(2);
    third.logged(2);
    assertThat(kinds(true)).isEmpty();
    history.ended(new Ended(first.id, ++clock, TransactionOutcome.REJECTED, 0, "why"));
    assertThat(kinds(true)).containsExactly(Kind.UNJUSTIFIED_CONFLICT);
    history.ended(new Ended(first.id, ++clock, TransactionOutcome.CONFLICT, 0, "why"));
    assertThat(kinds(false)).contains(Kind.UNJUSTIFIED_CONFLICT);
  }

  @Test
  void whoOverwritesHasNoConflict() throws IOException {
    Made first = atOnce(1).appends("x", 1);
    first.commits(2);
    first.logged(2);
    atOnce(1).appends("x", 2).overwrites().ends(TransactionOutcome.CONFLICT, 0);
    assertThat(kinds()).containsExactly(Kind.UNJUSTIFIED_CONFLICT);
  }

  @Test
  void aFileOfAKilledProcessIsReadUpToItsLastWholeLine(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("history.jsonl");
    TransactionHistory written = new TransactionHistory(file);
    UUID id = new UUID(1, 2);
    BegunTransaction begun =
        new BegunTransaction(id, "s", 1, 7, OnConflict.REJECT, Map.of("x", List.of(5L)), Map.of());
    written.begun(begun);
    written.ended(new Ended(id, 2, TransactionOutcome.COMMITTED, 8, ""));
    written.logged(new Logged(id, 8));
    Files.writeString(file, "{\"begun\":{\"id\":\"00", StandardOpenOption.APPEND);

    history.read(file);

    assertThat(history.begun()).containsExactly(begun);
    @Nullable Ended ended = history.ended(id);
    assertThat(ended).isEqualTo(new Ended(id, 2, TransactionOutcome.COMMITTED, 8, ""));
    assertThat(history.logged()).containsExactly(new Logged(id, 8));
  }
}
