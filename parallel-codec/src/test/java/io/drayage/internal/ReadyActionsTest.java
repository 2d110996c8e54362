package io.drayage.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class ReadyActionsTest {
  private final ReadyActions actions = new ReadyActions();
  private final AtomicInteger runs = new AtomicInteger();

  @Test
  void runsEachActionOnce() {
    actions.add(runs::incrementAndGet);
    actions.add(runs::incrementAndGet);
    actions.runAll();
    actions.runAll();

    assertThat(runs).hasValue(2);
  }

  @Test
  void leavesWhatComesMeanwhileForTheNextTime() {
    actions.add(this::findNoRoom);
    actions.runAll();
    assertThat(runs).hasValue(1);

    actions.runAll();
    assertThat(runs).hasValue(2);
  }

  private void findNoRoom() {
    runs.incrementAndGet();
    actions.add(this::findNoRoom);
  }
}
