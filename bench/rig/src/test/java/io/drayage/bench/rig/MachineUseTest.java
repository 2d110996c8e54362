package io.drayage.bench.rig;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

final class MachineUseTest {
  /** Returns a use with these busy, stolen and own ticks; otherwise idle. */
  private static MachineUse use(long busy, long stolen, long ours) {
    return new MachineUse(busy, stolen, 1_000, ours);
  }

  private static double othersPercent(long busy, long stolen, long ours) {
    MachineUse after = new MachineUse(100 + busy, 10 + stolen, 1_200, 50 + ours);
    return after.othersPercentSince(use(100, 10, 50));
  }

  @Test
  void readsTheTimesOfAllProcessors() {
    // user, nice, system | idle, waiting for a disk | irq, softirq | steal | guests, part of user
    String line = "cpu  100 20 3 5000 400 6 7 80 9000 90000";
    assertThat(MachineUse.of(line, 42)).isEqualTo(new MachineUse(136, 80, 5616, 42));
  }

  @Test
  void readsTheTimesOfAProcessWhoseNameLooksLikeTheFieldsBehindIt() {
    String stat = "77 (a) S 1 (b)) S 1 77 77 0 -1 4194560 100 0 0 0 250 31 9 9 20 0 8 0 99 0\n";
    assertThat(MachineUse.ticksOf(stat)).isEqualTo(281);
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aProcessThatEndedCountsAsNothing() throws Exception {
    Process process = new ProcessBuilder("true").start();
    process.waitFor();
    assertThat(MachineUse.ticksOf(process.toHandle())).isZero();
    MachineUse use = MachineUse.now(List.of(process.toHandle()));
    assertThat(use.all()).isGreaterThanOrEqualTo(use.busy() + use.stolen());
    assertThat(use.ours()).isPositive();
  }

  @Test
  void othersTakeWhatIsBusyAndNotOursAndWhatIsStolen() {
    assertThat(othersPercent(100, 0, 100)).isZero();
    assertThat(othersPercent(100, 0, 80)).isEqualTo(10);
    assertThat(othersPercent(100, 30, 100)).isEqualTo(15);
    assertThat(othersPercent(60, 40, 0)).isEqualTo(50);
  }

  @Test
  void othersTakeNothingIfTheClocksDisagree() {
    assertThat(othersPercent(100, 0, 103)).as("ours is counted at another moment").isZero();
    assertThat(use(100, 10, 50).othersPercentSince(use(100, 10, 50))).as("no time passed").isZero();
  }
}
