package io.drayage.bench.ceiling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.drayage.bench.LinkSpeed;
import io.drayage.bench.environment.Tools;
import io.drayage.bench.link.Link;
import io.drayage.bench.link.LinkException;
import io.drayage.bench.progress.StepDisplay;
import io.drayage.bench.result.Ceilings;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Measures a sink on a real link, which lets no more pass than its rate. */
@Tag("nightly")
final class PathCeilingsTest {
  private static final double LINK_MBPS = 25;

  @TempDir private Path logs;

  @Test
  @Timeout(300)
  void aSinkOnALinkGetsAtMostItsRate() throws Exception {
    try (Link link = Link.open(LinkSpeed.parse("200mbit"), 1, false);
        StepDisplay display =
            StepDisplay.onStandardError("test", 1, new PrintWriter(Writer.nullWriter()))) {
      Ceilings ceilings = PathCeilings.measure(link, logs, display);
      assertThat(ceilings.sinkMBps()).isPositive().isLessThan(1.05 * LINK_MBPS);
      assertThat(ceilings.copyOutMBps()).isGreaterThan(ceilings.sinkMBps());
      if (Tools.isInstalled("iperf3")) {
        assertThat(ceilings.iperf3MBps()).isPositive().isLessThan(1.05 * LINK_MBPS);
      }
    } catch (LinkException e) {
      boolean isMissing = String.valueOf(e.getMessage()).matches(".*(root|install).*");
      if (isMissing) {
        System.out.println("skipped: " + e.getMessage());
      }
      assumeFalse(isMissing, e.getMessage());
      throw e;
    }
  }
}
