package io.drayage.bench.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class CeilingShareTest {
  private static final String SYSTEM = "netty:raw+none@2";

  /** Computes the share of a run of 100 MB, with 50 MB over the wire, and S+Q in milliseconds. */
  private static CeilingShare share(long sqMs, @Nullable Double pathMBps, double copyMBps) {
    List<Run> runs = List.of(Runs.ok(SYSTEM, 1, sqMs));
    List<Summary> summaries = Summary.of(List.of(SYSTEM), SYSTEM, Measurement.of(runs));
    Ceilings ceilings = new Ceilings(pathMBps, null, copyMBps, copyMBps, 2, List.of());
    return ceilings.withShares(summaries, runs).systems().get(0);
  }

  @Test
  void namesTheWireWhereItIsFull() {
    CeilingShare share = share(1000, 52.0, 10_000);
    assertThat(share.wireMBps()).isEqualTo(50);
    assertThat(share.wire()).isCloseTo(0.96, within(0.01));
    assertThat(share.processor()).isCloseTo(0.75 / 2 / 1.1, within(0.01));
    assertThat(share.codec()).isCloseTo(0.2, within(0.01));
    assertThat(share.copy()).isCloseTo(0.01, within(0.001));
    assertThat(share.binds()).isEqualTo("wire");
  }

  @Test
  void namesWhatIsNearestUnlessTheEndsWait() {
    assertThat(share(300, 5_000.0, 10_000).binds()).isEqualTo("processor");
    assertThat(share(1000, null, 120).binds()).isEqualTo("copy");
    assertThat(share(5000, 5_000.0, 10_000).binds()).isEqualTo("waiting");
  }
}
