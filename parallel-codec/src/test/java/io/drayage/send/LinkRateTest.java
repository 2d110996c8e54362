package io.drayage.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.codec.Serializer;
import io.drayage.metrics.Figures;
import io.drayage.metrics.Metric;
import io.drayage.segment.SegmentSerializer;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class LinkRateTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long BYTES = 128 << 20;
  private final Serializer chooser = new ForLink(0);

  /** One that chooses by the link, as {@code columnar} does. */
  private record ForLink(long bytesPerSecond) implements Serializer {
    @Override
    public int id() {
      return 200;
    }

    @Override
    public String name() {
      return "for-link";
    }

    @Override
    public Serializer forLink(long rate) {
      return new ForLink(rate);
    }

    @Override
    public SegmentSerializer newSegmentSerializer() {
      throw new UnsupportedOperationException();
    }
  }

  @Test
  void aRateThatIsGivenIsSharedAmongThreads() {
    LinkRate link = new LinkRate(OptionalLong.of(1 << 30));

    link.observe(report(BYTES, SECOND), stalled(SECOND, 0));

    assertThat(link.serializer(chooser, 4)).isEqualTo(chooser.forLink(1 << 28));
  }

  @Test
  void ofAnUnknownLinkNothingIsAssumed() {
    LinkRate link = new LinkRate(OptionalLong.empty());

    assertThat(link.serializer(chooser, 4)).isSameAs(chooser);
  }

  @Test
  void aShipmentThatWaitedForTheSocketShowsTheRate() {
    LinkRate link = new LinkRate(OptionalLong.empty());

    link.observe(report(BYTES + 12_345, SECOND), stalled(SECOND * 3 / 4, SECOND / 8));

    assertThat(link.serializer(chooser, 2)).isEqualTo(chooser.forLink(BYTES / 2));
  }

  @Test
  void aShipmentThatWaitedForTheReceiverShowsNothing() {
    LinkRate link = new LinkRate(OptionalLong.empty());

    link.observe(report(BYTES, SECOND), stalled(SECOND * 2 / 5, SECOND * 3 / 5));

    assertThat(link.serializer(chooser, 2)).isSameAs(chooser);
  }

  @Test
  void aFasterShipmentShowsThatTheLinkIsNoSlower() {
    LinkRate link = new LinkRate(OptionalLong.empty());
    link.observe(report(BYTES, SECOND), stalled(SECOND, 0));

    link.observe(report(4 * BYTES, SECOND), stalled(0, 0));
    link.observe(report(BYTES / 2, SECOND), stalled(0, 0));

    assertThat(link.serializer(chooser, 1)).isEqualTo(chooser.forLink(4 * BYTES));
  }

  @Test
  void aShortShipmentShowsNothing() {
    LinkRate link = new LinkRate(OptionalLong.empty());

    link.observe(report(LinkRate.MIN_BYTES - 1, SECOND), stalled(SECOND, 0));

    assertThat(link.serializer(chooser, 2)).isSameAs(chooser);
  }

  private static SendReport report(long wireBytes, long ns) {
    return new SendReport(1, wireBytes, 1, 0, ns * 3 / 4, ns / 4, 0, 0, 0, 0);
  }

  private static Figures stalled(long socketNs, long creditNs) {
    return new Figures(Map.of(Metric.CREDIT_STALL_NS, creditNs, Metric.SOCKET_STALL_NS, socketNs));
  }
}
