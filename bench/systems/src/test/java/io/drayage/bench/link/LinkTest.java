package io.drayage.bench.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.drayage.bench.LinkSpeed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real links. Tests that need root and iproute2 are skipped if these are missing. */
@Timeout(180)
final class LinkTest {
  /** Opens a link, or skips the test with the reason. */
  private static Link open(String rate, int workers, boolean pin) throws Exception {
    return open(rate, rate, workers, pin);
  }

  private static Link open(String rate, String transactorRate, int workers, boolean pin)
      throws Exception {
    try {
      LinkSpeed ofTransactor = workers > 1 ? LinkSpeed.parse(transactorRate) : null;
      return Link.open(LinkSpeed.parse(rate), ofTransactor, workers, pin);
    } catch (LinkException e) {
      boolean isMissing = String.valueOf(e.getMessage()).matches(".*(root|install|two cores).*");
      if (isMissing) {
        System.out.println("skipped: " + e.getMessage());
      }
      assumeFalse(isMissing, e.getMessage());
      throw e;
    }
  }

  private static String run(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }

  @Test
  void makesAHostForEachAndRemovesThemWithWhatRunsThere() throws Exception {
    Process left;
    String name = "drayage-run" + ProcessHandle.current().pid() + "-";
    try (Link link = open("1gbit", 2, false)) {
      assertThat(link.text()).isEqualTo("1gbit");
      assertThat(link.bytesPerSecondOfWorker()).isEqualTo(62_500_000);
      assertThat(link.facts().rateBitsPerSecond()).isEqualTo(1_000_000_000);
      assertThat(link.facts().topology()).isEqualTo("switch");
      LinkedHost second = link.worker(2);
      assertThat(second.address()).isNotEqualTo(link.worker(1).address());
      assertThat(run(second.command(List.of("ip", "address")))).contains(second.address() + "/");
      assertThat(link.state()).contains("tbf", "rate 1Gbit", name + "switch");
      left = new ProcessBuilder(second.command(List.of("sleep", "60"))).start();
    }
    assertThat(left.waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(run(List.of("ip", "netns", "list"))).doesNotContain(name);
  }

  @Test
  void theTransactorsLinkMayCarryWhatAllWorkersSend() throws Exception {
    try (Link link = open("100mbit", "150mbit", 2, false)) {
      assertThat(link.facts().transactorRateBitsPerSecond()).isEqualTo(150_000_000);
      assertThat(link.bytesPerSecondOfWorker(1)).isEqualTo(12_500_000);
      assertThat(link.bytesPerSecondOfWorker(2)).isEqualTo(9_375_000);
      assertThat(run(link.transactor().command(List.of("tc", "qdisc", "show", "dev", "eth0"))))
          .contains("rate 150Mbit");
      assertThat(run(link.worker(1).command(List.of("tc", "qdisc", "show", "dev", "eth0"))))
          .contains("rate 100Mbit");
    }
  }

  @Test
  void aHostOnALinkRunsOnItsOwnCores() throws Exception {
    try (Link link = open("loopback", 1, true)) {
      List<String> ask = List.of("grep", "Cpus_allowed_list", "/proc/self/status");
      String worker = run(link.worker(1).command(ask));
      assertThat(worker).isNotEqualTo(run(link.transactor().command(ask)));
      assertThat(Pinning.cores(worker.substring(worker.indexOf(':') + 1)))
          .isEqualTo(Pinning.cores(String.valueOf(link.facts().workerCores())));
    }
  }

  @Test
  void readsListsOfCores() {
    assertThat(Pinning.cores("0-2,5,7-8")).containsExactly(0, 1, 2, 5, 7, 8);
    assertThat(Pinning.cores("")).isEmpty();
  }

  @Test
  void saysInOneLineWhyThereIsNoLink() throws Exception {
    LocalCluster cluster = LocalCluster.ofThisProcess();
    assertThatThrownBy(() -> cluster.up(1, null, 1))
        .isInstanceOf(LinkException.class)
        .hasMessageStartingWith("--link must be a rate from 1mbit to 100gbit")
        .hasMessageNotContaining("\n");
  }
}
