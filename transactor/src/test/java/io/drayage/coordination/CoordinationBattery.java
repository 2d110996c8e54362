package io.drayage.coordination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.testing.Waiting;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every coordination does; inherited by the tests of each. */
@Timeout(60)
public abstract class CoordinationBattery {
  protected static final NodeInfo ANNA = new NodeInfo("anna", "127.0.0.1:1001");
  protected static final NodeInfo BERTA = new NodeInfo("berta", "127.0.0.1:1002");

  private final List<Coordination> opened = new ArrayList<>();

  /** One more node's end of the same cluster. */
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
    Waiting.await(() -> names(berta).equals(List.of("berta")));
    berta.close();
    assertThat(anna.liveNodes()).isEmpty();
  }

  private static List<String> names(Coordination coordination) {
    try {
      return coordination.liveNodes().stream().map(NodeInfo::name).toList();
    } catch (CoordinationException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void whoIsAskedToHandOverHearsOfItOnce() throws Exception {
    Coordination anna = open();
    Coordination berta = open();
    List<Long> heard = new CopyOnWriteArrayList<>();
    anna.watchHandOver(heard::add);

    berta.requestHandOver(3);
    Waiting.await(() -> heard.equals(List.of(3L)));
    berta.requestHandOver(4);
    Waiting.await(() -> heard.equals(List.of(3L, 4L)));

    List<Long> later = new CopyOnWriteArrayList<>();
    berta.watchHandOver(later::add);
    Waiting.await(() -> later.equals(List.of(4L)));
  }

  @Test
  void nothingIsPublishedAndNobodyIsPrimaryAtFirst() throws Exception {
    Coordination anna = open();
    assertThat(anna.published()).isEmpty();
    assertThat(anna.primary()).isEmpty();
  }

  @Test
  void theFirstWhoStandsIsElectedAndTheNextFollows() throws Exception {
    Coordination anna = open();
    Coordination berta = open();
    TestCandidate first = new TestCandidate();
    TestCandidate second = new TestCandidate();
    Registration candidacy = anna.stand(ANNA, first);
    Term term = first.awaitElected();
    assertThat(term.publishedBefore()).isZero();
    assertThat(berta.primary()).contains(new PrimaryInfo(ANNA, term.epoch()));

    berta.stand(BERTA, second);
    term.publish(5);
    assertThat(second.isElected()).isFalse();

    candidacy.close();
    assertThat(first.awaitDeposed()).isSameAs(term);
    Term next = second.awaitElected();
    assertThat(next.epoch()).isGreaterThan(term.epoch());
    assertThat(next.publishedBefore()).isEqualTo(5);
    assertThat(anna.primary()).contains(new PrimaryInfo(BERTA, next.epoch()));
    assertThat(anna.published()).contains(new PublishedSnapshot(5, next.epoch()));
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
    term.publish(7);
    candidacy.close();
    Term next = second.awaitElected();

    assertThatThrownBy(() -> term.publish(8))
        .isInstanceOf(DeposedException.class)
        .hasMessage(
            String.format(
                Locale.ROOT,
                "snapshot 8 was not published: epoch %d is over, %d has taken over",
                term.epoch(),
                next.epoch()));
    assertThat(term.isOver()).isTrue();
    assertThat(anna.published()).contains(new PublishedSnapshot(7, next.epoch()));
    next.publish(8);
    assertThat(anna.published()).contains(new PublishedSnapshot(8, next.epoch()));
  }

  @Test
  void timestampsOnlyRise() throws Exception {
    Coordination anna = open();
    TestCandidate candidate = new TestCandidate();
    anna.stand(ANNA, candidate);
    Term term = candidate.awaitElected();
    term.publish(3);
    assertThatThrownBy(() -> term.publish(3)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> term.publish(2)).isInstanceOf(IllegalArgumentException.class);
    term.publish(10);
    assertThat(anna.published()).contains(new PublishedSnapshot(10, term.epoch()));
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
    term.publish(1);

    List<Long> seen = new CopyOnWriteArrayList<>();
    List<PrimaryInfo> primaries = new CopyOnWriteArrayList<>();
    Registration watch = berta.watchPublished(published -> seen.add(published.timestamp()));
    berta.watchPrimary(primaries::add);
    Waiting.await(() -> seen.contains(1L));
    for (long timestamp = 2; timestamp <= 50; timestamp++) {
      term.publish(timestamp);
    }
    Waiting.await(() -> seen.contains(50L) && !primaries.isEmpty());
    assertThat(seen).isSorted().doesNotHaveDuplicates();
    assertThat(primaries).containsExactly(new PrimaryInfo(ANNA, term.epoch()));

    watch.close();
    term.publish(51);
    assertThat(berta.published()).contains(new PublishedSnapshot(51, term.epoch()));
    assertThat(seen).doesNotContain(51L);
  }
}
