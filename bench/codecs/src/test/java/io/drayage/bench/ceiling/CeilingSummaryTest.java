package io.drayage.bench.ceiling;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.bench.result.Floor;
import io.drayage.bench.result.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class CeilingSummaryTest {
  private static final long GB = 1_000_000_000;

  private final List<CeilingRun.Iteration> runs = new ArrayList<>();

  private void add(CeilingRow row, double... gbps) {
    for (int i = 0; i < gbps.length; i++) {
      runs.add(CeilingRun.Iteration.ok(row, i + 1, GB, Math.round(GB / gbps[i]), 1 / gbps[i]));
    }
  }

  private CeilingSummary summary(CeilingRow row) {
    return CeilingSummary.of(row, runs);
  }

  private List<CeilingSummary> summaries() {
    return CeilingRow.ALL.stream().map(this::summary).toList();
  }

  @Test
  void givesTheMedianAndTheSpread() {
    add(CeilingRow.SOCKET, 2, 8, 4);

    CeilingSummary socket = summary(CeilingRow.SOCKET);
    assertThat(socket.gbps()).isEqualTo(4);
    assertThat(socket.minGbps()).isEqualTo(2);
    assertThat(socket.maxGbps()).isEqualTo(8);
    assertThat(socket.medianS()).isEqualTo(0.25);
  }

  @Test
  void aRowThatFailedKeepsWhatItHasAndSaysWhy() {
    add(CeilingRow.SOCKET, 2);
    runs.add(CeilingRun.Iteration.failed(CeilingRow.SOCKET, 2, "gone"));

    CeilingSummary socket = summary(CeilingRow.SOCKET);
    assertThat(socket.status()).isEqualTo(Status.FAILED);
    assertThat(socket.error()).isEqualTo("gone");
    assertThat(socket.gbps()).isEqualTo(2);
    assertThat(summary(CeilingRow.ENCODE).error()).isEqualTo("not measured");
    runs.add(CeilingRun.Iteration.failed(CeilingRow.DECODE, 0, "no process"));
    assertThat(summary(CeilingRow.DECODE).error()).isEqualTo("no process");
  }

  @Test
  void verdictNamesTheSlowestStepAndTheTarget() {
    add(CeilingRow.ENCODE, 10);
    add(CeilingRow.DECODE, 8);
    add(CeilingRow.SOCKET, 4);

    assertThat(CeilingSummary.verdict(summaries(), GB, 0.55))
        .isEqualTo(
            "the socket is the bottleneck: encode 10.00, socket 4.00, decode 8.00 GB/s;"
                + " >= 0.55 of the sink is 2.20 GB/s, S+Q of 0.455 s for 1.0 GB");

    add(CeilingRow.SOCKET, 20, 20);
    assertThat(CeilingSummary.verdict(summaries(), GB, 0.55))
        .startsWith("decoding on one core is the bottleneck");
  }

  @Test
  void theFloorIsWhatEachPassNeedsMore() {
    add(CeilingRow.PASS_WIRE, 5);
    assertThat(CeilingSummary.floor(summaries())).isNull();

    add(CeilingRow.PASS_MEMORY, 2);
    Floor memory = Objects.requireNonNull(CeilingSummary.floor(summaries()));
    assertThat(CeilingSummary.verdict(memory))
        .isEqualTo(
            "the floor of a GB is 0.50 s of CPU time into memory (copies 0.30, checksums and socket"
                + " 0.20)");

    add(CeilingRow.PASS_STORED, 1.6);
    assertThat(CeilingSummary.verdict(Objects.requireNonNull(CeilingSummary.floor(summaries()))))
        .endsWith("socket 0.20), 0.63 s stored (disk 0.13)");
  }

  @Test
  void verdictWithoutAStepSaysSo() {
    add(CeilingRow.SOCKET, 4);

    assertThat(CeilingSummary.verdict(summaries(), GB, 0.55)).contains("unknown");
  }
}
