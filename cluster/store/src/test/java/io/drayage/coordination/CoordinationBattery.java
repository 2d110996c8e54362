package io.drayage.coordination;

import static io.drayage.internal.Texts.format;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.Names;
import io.drayage.database.LogPosition;
import io.drayage.objectstore.StoreFailure;
import io.drayage.objectstore.WriteFailure;
import io.drayage.testing.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tests that every coordination must pass; the tests of each implementation inherit them. */
public abstract class CoordinationBattery {
  protected static final NodeInfo ANNA = new NodeInfo("anna", "127.0.0.1:1001");
  protected static final NodeInfo BERTA = new NodeInfo("berta", "127.0.0.1:1002");
  private static final NodeInfo CARLA = new NodeInfo("carla", "127.0.0.1:1003");

  private static final UUID DATABASE = new UUID(7, -7);

  private final List<Coordination> opened = new ArrayList<>();

  /** An entry of the log of one database. */
  protected static LogPosition at(long timestamp) {
    return new LogPosition(DATABASE, timestamp, (int) (timestamp * 0x9E3779B9L));
  }

  /** Connects one more node to the same cluster. */
  protected abstract Coordination connect() throws Exception;

  protected final Coordination open() throws Exception {
    Coordination coordination = connect();
    opened.add(coordination);
    return coordination;
  }

  @AfterEach
  void closeAll() {
    opened.forEach(Coordination::close);
  }

  @Test
  void everybodySeesWhoIsThere() throws Exception {
    Coordination anna = open();
    Coordination berta = open();
    Registration joined = anna.join(ANNA);
    berta.join(BERTA);
    assertThat(berta.liveNodes()).containsExactly(ANNA, BERTA);

    joined.close();
    joined.close();
    Waiting.await(() -> berta.liveNodes().equals(List.of(BERTA)));
    berta.close();
    assertThat(anna.liveNodes()).isEmpty();
  }

  @Test
  void everybodySeesWhatOthersRead() throws Exception {
    Coordination anna = open();
    NodeInfo reading =
        new NodeInfo("carl", NodeInfo.NO_ADDRESS, Set.of("pipeline.segments", "serializer.raw"));
    anna.join(reading);
    assertThat(open().liveNodes()).containsExactly(reading);
    assertThat(reading.isSameNode(new NodeInfo("carl", NodeInfo.NO_ADDRESS))).isTrue();
    assertThat(reading.isSameNode(new NodeInfo("carl", "h:1"))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"\u001B[2J", "a b", "a\u202E", "a\u0085b", ""})
  void noNodeHasANameOrAddressThatWouldSteerATerminal(String text) {
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> new NodeInfo(text, "h:1"),
            () -> new NodeInfo("n", text),
            () -> new NodeInfo("n", "h:1", Set.of(text)))) {
      assertThatIllegalArgumentException()
          .isThrownBy(call)
          .satisfies(e -> assertThat(Names.isPrintable(e.getMessage())).isTrue());
    }
  }

  @Test
  void whoIsAskedToHandOverHearsOfItOnce() throws Exception {
    Coordination anna = open();
    Coordination berta = open();
    List<HandOver> heard = new CopyOnWriteArrayList<>();
    anna.watchHandOver(heard::add);

    berta.requestHandOver(3, "berta");
    HandOver first = new HandOver(1, 3, "berta");
    Waiting.await(() -> heard.equals(List.of(first)));
    berta.requestHandOver(3, "carla"); // To the same primary, again.
    HandOver second = new HandOver(2, 3, "carla");
    Waiting.await(() -> heard.equals(List.of(first, second)));

    List<HandOver> later = new CopyOnWriteArrayList<>();
    berta.watchHandOver(later::add);
    Waiting.await(() -> later.equals(List.of(second)));
  }

  @Test
  void whoAskedHearsWhyARequestIsWithdrawn() throws Exception {
    Coordination primary = open();
    Coordination operator = open();
    assertThat(operator.handOver()).isEmpty();
    operator.requestHandOver(3, "berta");
    HandOver first = new HandOver(1, 3, "berta");
    assertThat(primary.handOver()).contains(first);
    assertThat(first.isWithdrawn()).isFalse();

    primary.withdrawHandOver(first, "berta has loaded snapshot 54 of 57");
    HandOver withdrawn = new HandOver(2, 0, "berta", "berta has loaded snapshot 54 of 57");
    assertThat(operator.handOver()).contains(withdrawn);
    assertThat(withdrawn.isWithdrawn()).isTrue();

    operator.requestHandOver(3, "carla");
    HandOver second = new HandOver(3, 3, "carla");
    primary.withdrawHandOver(first, "too late");
    assertThat(operator.handOver()).contains(second);
  }

  @Test
  void whoeverIsHandedOverToIsElectedBeforeOthersInTurn() throws Exception {
    List<NodeInfo> nodes = List.of(ANNA, BERTA, CARLA, new NodeInfo("dora", "127.0.0.1:1004"));
    List<TestCandidate> candidates = new ArrayList<>();
    List<Registration> standing = new ArrayList<>();
    for (NodeInfo node : nodes) {
      TestCandidate candidate = new TestCandidate();
      candidates.add(candidate);
      standing.add(open().stand(node, candidate));
      Waiting.await(candidates.get(0)::isElected); // Waits before the next candidate stands.
    }
    Term first = candidates.get(0).awaitElected();
    Coordination operator = open();
    operator.requestHandOver(first.epoch(), "dora");

    standing.get(0).close();
    Term next = candidates.get(3).awaitElected();
    assertThat(next.epoch()).isEqualTo(first.epoch() + 1);
    standing.get(3).close();
    Waiting.await(() -> candidates.get(1).isElected() || candidates.get(2).isElected());
  }

  @Test
  void whoeverDoesNotStandIsNotWaitedFor() throws Exception {
    TestCandidate first = new TestCandidate();
    TestCandidate second = new TestCandidate();
    Registration candidacy = open().stand(ANNA, first);
    Term term = first.awaitElected();
    Coordination berta = open();
    berta.stand(BERTA, second);
    berta.requestHandOver(term.epoch(), "carla");

    candidacy.close();
    assertThat(second.awaitElected().epoch()).isEqualTo(term.epoch() + 1);
  }

  @Test
  void everybodySeesHowFarOthersAre() throws Exception {
    Coordination anna = open();
    Coordination berta = open();
    assertThat(berta.progress("anna")).isEmpty();
    Membership membership = anna.join(ANNA);
    assertThat(berta.progress("anna")).contains(NodeProgress.UNKNOWN);

    NodeProgress told =
        new NodeProgress(
            7,
            3,
            200,
            Long.MAX_VALUE,
            5,
            "fs:/a folder/store",
            "snapshot 7: it is <corrupt>: ü",
            new StoreFailure(WriteFailure.FULL, "fs:/a folder: no space"));
    membership.report(told);
    Waiting.await(() -> berta.progress("anna").equals(Optional.of(told)));
    assertThat(berta.liveNodes()).containsExactly(ANNA);
    membership.close();
    Waiting.await(() -> berta.progress("anna").isEmpty());
  }

  /** Epochs continue after the epoch of the log, also if the coordination knows only lower ones. */
  @Test
  void anEpochIsHigherThanAnyThatTheCandidateKnows() throws Exception {
    AtomicLong newest = new AtomicLong(41);
    BlockingQueue<Term> elected = new LinkedBlockingQueue<>();
    CandidacyListener candidate =
        new CandidacyListener() {
          @Override
          public long newestEpoch() {
            return newest.get();
          }

          @Override
          public void elected(Term term) {
            elected.add(term);
          }

          @Override
          public void deposed(Term term) {}
        };
    Coordination anna = open();
    Registration candidacy = anna.stand(ANNA, candidate);
    assertThat(elected.take().epoch()).isEqualTo(42);
    candidacy.close();
    newest.set(3);
    anna.stand(ANNA, candidate);
    assertThat(elected.take().epoch()).isEqualTo(43);
    assertThat(anna.primary()).contains(new PrimaryInfo(ANNA, 43));
  }

  @Test
  void nothingIsPublishedAndNobodyIsPrimaryAtFirst() throws Exception {
    Coordination anna = open();
    assertThat(anna.published()).isEmpty();
    assertThat(anna.primary()).isEmpty();
    assertThatThrownBy(() -> ClusterPresence.require(anna))
        .isInstanceOf(CoordinationException.class)
        .hasMessageStartingWith(anna.name() + " has no Drayage cluster");
  }

  @Test
  void electionAlonePublishesNothing() throws Exception {
    Coordination anna = open();
    List<PublishedSnapshot> seen = new CopyOnWriteArrayList<>();
    anna.watchPublished(seen::add);
    TestCandidate candidate = new TestCandidate();
    anna.stand(ANNA, candidate);
    Term term = candidate.awaitElected();

    assertThat(anna.published()).isEmpty();
    ClusterPresence.require(anna);
    term.publish(at(1));
    Waiting.await(() -> !seen.isEmpty());
    assertThat(seen).containsExactly(new PublishedSnapshot(at(1), term.epoch()));
    assertThat(ClusterPresence.awaitPublished(anna, Duration.ZERO)).isEqualTo(seen.get(0));
  }

  @Test
  void theFirstWhoStandsIsElectedAndTheNextFollows() throws Exception {
    Coordination anna = open();
    Coordination berta = open();
    TestCandidate first = new TestCandidate();
    TestCandidate second = new TestCandidate();
    Registration candidacy = anna.stand(ANNA, first);
    Term term = first.awaitElected();
    assertThat(term.publishedBefore()).isEmpty();
    assertThat(berta.primary()).contains(new PrimaryInfo(ANNA, term.epoch()));

    berta.stand(BERTA, second);
    term.publish(at(5));
    assertThat(second.isElected()).isFalse();

    candidacy.close();
    assertThat(first.awaitDeposed()).isSameAs(term);
    Term next = second.awaitElected();
    assertThat(next.epoch()).isGreaterThan(term.epoch());
    assertThat(next.publishedBefore()).contains(at(5));
    assertThat(anna.primary()).contains(new PrimaryInfo(BERTA, next.epoch()));
    assertThat(anna.published()).contains(new PublishedSnapshot(at(5), next.epoch()));
  }

  @Test
  void aFormerPrimaryCannotPublish() throws Exception {
    Coordination anna = open();
    Coordination berta = open();
    TestCandidate first = new TestCandidate();
    TestCandidate second = new TestCandidate();
    Registration candidacy = anna.stand(ANNA, first);
    Term term = first.awaitElected();
    berta.stand(BERTA, second);
    term.publish(at(7));
    candidacy.close();
    Term next = second.awaitElected();

    assertThatThrownBy(() -> term.publish(at(8)))
        .isInstanceOf(DeposedException.class)
        .hasMessage(
            format(
                "snapshot 8 was not published: epoch %d is over, %d has taken over",
                term.epoch(), next.epoch()));
    assertThat(term.isOver()).isTrue();
    assertThat(anna.published()).contains(new PublishedSnapshot(at(7), next.epoch()));
    next.publish(at(8));
    assertThat(anna.published()).contains(new PublishedSnapshot(at(8), next.epoch()));
  }

  @Test
  void timestampsOnlyRise() throws Exception {
    Coordination anna = open();
    TestCandidate candidate = new TestCandidate();
    anna.stand(ANNA, candidate);
    Term term = candidate.awaitElected();
    term.publish(at(3));
    assertThatThrownBy(() -> term.publish(at(2))).isInstanceOf(IllegalArgumentException.class);
    LogPosition otherEntry = new LogPosition(DATABASE, 3, at(3).checksum() + 1);
    assertThatThrownBy(() -> term.publish(otherEntry)).isInstanceOf(IllegalArgumentException.class);
    LogPosition another = new LogPosition(new UUID(8, 8), 10, 1);
    assertThatThrownBy(() -> term.publish(another))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(another.database().toString(), DATABASE.toString());
    term.publish(at(10));
    assertThat(anna.published()).contains(new PublishedSnapshot(at(10), term.epoch()));
  }

  /** A primary that does not know whether the call succeeded, or failed after it, tries again. */
  @Test
  void theSameTimestampIsPublishedAsOftenAsOneLikes() throws Exception {
    Coordination anna = open();
    TestCandidate first = new TestCandidate();
    TestCandidate second = new TestCandidate();
    Registration candidacy = anna.stand(ANNA, first);
    Term term = first.awaitElected();
    term.publish(at(3));
    term.publish(at(3));
    assertThat(anna.published()).contains(new PublishedSnapshot(at(3), term.epoch()));
    anna.stand(BERTA, second);
    candidacy.close();
    Term next = second.awaitElected();

    assertThatThrownBy(() -> term.publish(at(3))).isInstanceOf(DeposedException.class);
    assertThat(anna.published()).contains(new PublishedSnapshot(at(3), next.epoch()));
  }

  @Test
  void maintenanceIsKnownToAllUntilItEnds() throws Exception {
    Coordination anna = open();
    List<Maintenance> seen = new CopyOnWriteArrayList<>();
    assertThat(anna.maintenance()).isEqualTo(Maintenance.NEVER);
    Maintenance on = anna.maintain(true, "the store moves");
    Coordination berta = open();
    berta.watchMaintenance(seen::add);
    assertThat(berta.maintenance()).isEqualTo(on);
    assertThat(on.isOn()).isTrue();
    assertThat(on.reason()).isEqualTo("the store moves");
    Waiting.await(() -> seen.contains(on));

    Maintenance off = berta.maintain(false, "it has moved");
    assertThat(anna.maintenance()).isEqualTo(off);
    Waiting.await(() -> seen.contains(off));
    assertThat(seen).containsExactly(on, off);
    assertThatThrownBy(() -> anna.maintain(true, "two\nlines"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("a reason has 1 to 200 characters in one line");
  }

  @Test
  void watchersAreToldTheNewestAndEverythingThatFollows() throws Exception {
    Coordination anna = open();
    Coordination berta = open();
    TestCandidate candidate = new TestCandidate();
    anna.stand(ANNA, candidate);
    Term term = candidate.awaitElected();
    term.publish(at(1));

    List<Long> seen = new CopyOnWriteArrayList<>();
    List<PrimaryInfo> primaries = new CopyOnWriteArrayList<>();
    Registration watch = berta.watchPublished(published -> seen.add(published.timestamp()));
    berta.watchPrimary(primaries::add);
    Waiting.await(() -> seen.contains(1L));
    for (long timestamp = 2; timestamp <= 50; timestamp++) {
      term.publish(at(timestamp));
    }
    Waiting.await(() -> seen.contains(50L) && !primaries.isEmpty());
    assertThat(seen).isSorted().doesNotHaveDuplicates();
    assertThat(primaries).containsExactly(new PrimaryInfo(ANNA, term.epoch()));

    watch.close();
    term.publish(at(51));
    assertThat(berta.published()).contains(new PublishedSnapshot(at(51), term.epoch()));
    assertThat(seen).doesNotContain(51L);
  }
}
