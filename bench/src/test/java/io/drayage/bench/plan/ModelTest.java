package io.drayage.bench.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.drayage.bench.result.Run;
import io.drayage.bench.result.Runs;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ModelTest {
  /**
   * A GB takes the worker 1 s to encode, the transactor 0.5 s to decode, and 0.25 s each to move.
   */
  private static final Rates RATES =
      new Rates("netty:raw+zstd@1", null, 1, 0.25, 0.25, 0.5, 1.3, 0.8, 0.5, 1);

  private static final double GB = 1e9;

  private static Prediction predict(Hosts hosts, double linkBytesPerSecond) {
    return Model.predict(RATES, hosts, linkBytesPerSecond, GB);
  }

  @Test
  void takesAsLongAsTheSlowestPart() {
    Prediction one = predict(new Hosts(8, 1, 1, false), 10e9);
    assertThat(one.binds()).isEqualTo("worker encode");
    assertThat(one.seconds()).isEqualTo(1);
    Prediction two = predict(new Hosts(8, 2, 1, false), 10e9);
    assertThat(two.seconds()).isEqualTo(0.5);
    assertThat(predict(new Hosts(8, 8, 8, false), 10e9).seconds()).isEqualTo(0.25);
  }

  @Test
  void isBoundByTheLinkLessItsHeaders() {
    Prediction slow = predict(new Hosts(8, 8, 8, false), 125e6);
    assertThat(slow.binds()).isEqualTo("link");
    assertThat(slow.seconds()).isEqualTo(0.5 * GB / (125e6 * 0.95), within(1e-9));
  }

  @Test
  void isBoundByTheCoresThatBothEndsShare() {
    assertThat(predict(new Hosts(2, 2, 2, true), 10e9).seconds())
        .isEqualTo((1.3 + 0.8) / 2, within(1e-9));
    assertThat(predict(new Hosts(2, 2, 2, false), 10e9).seconds()).isEqualTo(1.3 / 2, within(1e-9));
  }

  @Test
  void hasNoMoreThreadsThanCoresAndOneForAStream() {
    assertThat(predict(new Hosts(2, 64, 64, false), 10e9).boundsS().get("worker encode"))
        .isEqualTo(0.5);
    Rates stream = new Rates("grpc:java+none", null, 1, 0.25, 0.25, 0.5, 1.3, 0.8, 0.5, 1);
    assertThat(Model.predict(stream, new Hosts(8, 8, 8, false), null, GB).seconds()).isEqualTo(1);
  }

  @Test
  void takesFromRunsWhatEachPartCosts() {
    List<Run> runs = List.of(Runs.ok("raw", 1, 500), Runs.ok("raw", 2, 500));
    Rates rates = Rates.of("netty:raw+none@1", null, runs, 2);
    // 0.4 s for 100 MB.
    assertThat(rates.encodeS()).isEqualTo(4, within(1e-9));
    assertThat(rates.wireShare()).isEqualTo(0.5, within(1e-9));
    assertThat(rates.workerS()).isEqualTo(5, within(1e-9));
    // The slowest part takes 0.4 s, the shipment 0.5 s.
    assertThat(rates.slack()).isEqualTo(1.25, within(1e-9));
  }
}
