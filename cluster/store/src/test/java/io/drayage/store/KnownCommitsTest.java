package io.drayage.store;

import static io.drayage.testing.Refusals.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.database.AppCommit;
import io.drayage.database.KnownTransactions;
import io.drayage.frame.AppVersion;
import io.drayage.frame.ShipmentException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Tests the memory of applications that commit seldom, next to others that commit all the time. */
class KnownCommitsTest {
  private static final int WINDOW = 3;
  private static final KnownCommits.Limits LIMITS = new KnownCommits.Limits(WINDOW, 100, 2, 70);

  private final List<StoreSnapshot> snapshots = new ArrayList<>();
  private final KnownCommits log = log(0, KnownTransactions.NONE);

  private KnownCommits log(long timestamp, KnownTransactions known) {
    snapshots.add(new StoreSnapshot(timestamp, Map.of()));
    return new KnownCommits(snapshots.get(snapshots.size() - 1), known, LIMITS);
  }

  private AppCommit commit(String app, long version) {
    return commit(app, version, "t");
  }

  private AppCommit commit(String app, long version, String... tables) {
    StoreSnapshot next = new StoreSnapshot(snapshots.size(), Map.of());
    snapshots.add(next);
    AppCommit commit =
        new AppCommit(new AppVersion(app, version, List.of(tables)), "w", next.timestamp());
    log.add(new UUID(0, next.timestamp()), next, commit);
    return commit;
  }

  private void othersCommit(int times) {
    for (int i = 0; i < times; i++) {
      StoreSnapshot next = new StoreSnapshot(snapshots.size(), Map.of());
      snapshots.add(next);
      log.add(new UUID(0, next.timestamp()), next, null);
    }
  }

  @Test
  void knowsAnApplicationThatRestsForLongerThanTheWindow() {
    AppCommit first = commit("stream", 1);
    othersCommit(10 * WINDOW);

    assertThat(log.timestampOf(new UUID(0, 1))).isNull();
    assertThat(log.newestOf("stream")).containsExactly(first);
    KnownCommits restarted = log(snapshots.size() - 1, log.known());
    assertThat(restarted.newestOf("stream")).containsExactly(first);
    assertThat(restarted.known()).isEqualTo(log.known());
  }

  @Test
  void knowsTheVersionBeforeTheOneThatIsUndone() {
    AppCommit first = commit("stream", 1);
    othersCommit(2 * WINDOW);
    int end = snapshots.size();
    commit("stream", 2);
    commit("stream", 3);

    log.truncateTo(snapshots.get(end - 1));

    assertThat(log.newestOf("stream")).containsExactly(first);
  }

  @Test
  void forgetsWhatRestsForTheLongestTime() {
    commit("a", 1);
    AppCommit b = commit("b", 1);
    commit("c", 1);
    AppCommit again = commit("c", 2);
    othersCommit(WINDOW);

    assertThat(log.newestOf("a")).isEmpty();
    assertThat(log.newestOf("b")).containsExactly(b);
    assertThat(log.newestOf("c")).containsExactly(again);
    assertThat(log.known().apps()).containsExactly(b, again);
  }

  @Test
  void knowsTheNewestVersionOfEachSetOfTables() {
    AppCommit x = commit("load", 1, "x");
    AppCommit both = commit("load", 1, "y", "x");
    othersCommit(2 * WINDOW);
    int end = snapshots.size();
    AppCommit newer = commit("load", 2, "x");
    assertThat(log.newestOf("load")).containsExactlyInAnyOrder(newer, both);
    assertThat(log.known().upTo(end).apps()).containsExactlyInAnyOrder(newer, both);

    log.truncateTo(snapshots.get(end - 1));

    assertThat(log.newestOf("load")).containsExactlyInAnyOrder(x, both);
    AppCommit z = commit("load", 1, "z");
    othersCommit(WINDOW);
    assertThat(log.newestOf("load"))
        .as("of three, those that committed last")
        .containsExactlyInAnyOrder(both, z);
  }

  @Test
  void knowsNoMoreThanAHistoryHolds() throws Exception {
    AppCommit first = commit("a1", 1);
    log.requireRoom(first);
    AppCommit second = commit("a2" + "-".repeat(24), 1);
    AppCommit third = new AppCommit(AppVersion.of("a3", 1, "\u6C49".repeat(10)), "w", 3);
    assertThat(third.storedBytes()).isEqualTo(first.storedBytes() + 29);
    assertFails(
        () -> log.requireRoom(third),
        ShipmentException.class,
        "version 1 of application 'a3' takes 55 bytes to be remembered: the commits of"
            + " applications in the last 3 snapshots take 76, the limit is 100");

    othersCommit(WINDOW);
    log.requireRoom(third);
    assertThat(log.known().apps()).containsExactly(second);
    assertThat(log.newestOf("a1")).isEmpty();
  }

  @Test
  void knowsTheNewestVersionAtAnEarlierSnapshot() {
    AppCommit first = commit("stream", 1);
    othersCommit(1);
    AppCommit second = commit("stream", 2);

    assertThat(log.known().upTo(3).apps()).containsExactly(second);
    assertThat(log.known().upTo(2).apps()).containsExactly(first);
    assertThat(log.known().upTo(0).apps()).isEmpty();
  }
}
