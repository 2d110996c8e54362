package io.drayage.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.codec.Serializer;
import io.drayage.metrics.Figures;
import io.drayage.metrics.Metric;
import io.drayage.segment.SegmentSerializer;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
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

  private final AtomicLong nowNs = new AtomicLong();
  private final AtomicLong sentBytes = new AtomicLong();
  private final AtomicLong socketNs = new AtomicLong();
  private final AtomicLong creditNs = new AtomicLong();
  private final LinkRate link = linkOf(OptionalLong.empty());

  private LinkRate linkOf(OptionalLong given) {
    return new LinkRate(given, this::outbound, nowNs::get);
  }

  private Figures outbound() {
    return new Figures(
        Map.of(
            Metric.SENT_BYTES, sentBytes.get(),
            Metric.CREDIT_STALL_NS, creditNs.get(),
            Metric.SOCKET_STALL_NS, socketNs.get()));
  }

  private void send(long bytes, long ns, long socketStallNs, long creditStallNs) {
    sentBytes.addAndGet(bytes);
    nowNs.addAndGet(ns);
    socketNs.addAndGet(socketStallNs);
    creditNs.addAndGet(creditStallNs);
  }

  /** One shipment alone. */
  private void ship(LinkRate over, long bytes, long ns, long socketStallNs, long creditStallNs) {
    try (LinkRate.Use use = over.begin()) {
      send(bytes, ns, socketStallNs, creditStallNs);
      use.drained();
      nowNs.addAndGet(5 * SECOND); // Its commit.
      use.arrived();
    }
  }

  @Test
  void aRateThatIsGivenIsSharedAmongThreads() {
    LinkRate given = linkOf(OptionalLong.of(1 << 30));
    ship(given, BYTES, SECOND, SECOND, 0);
    assertThat(given.serializer(chooser, 4)).isEqualTo(chooser.forLink(1 << 28));
  }

  @Test
  void ofAnUnknownLinkNothingIsAssumed() {
    assertThat(link.serializer(chooser, 4)).isSameAs(chooser);
  }

  @Test
  void aShipmentThatWaitedForTheSocketShowsTheRate() {
    ship(link, BYTES + 12_345, SECOND, SECOND * 3 / 4, SECOND / 8);
    assertThat(link.serializer(chooser, 2)).isEqualTo(chooser.forLink(BYTES / 2));
  }

  @Test
  void aShipmentThatWaitedForTheReceiverShowsNothing() {
    ship(link, BYTES, SECOND, SECOND * 2 / 5, SECOND * 3 / 5);
    assertThat(link.serializer(chooser, 2)).isSameAs(chooser);
  }

  @Test
  void aFasterShipmentShowsThatTheLinkIsNoSlower() {
    ship(link, BYTES, SECOND, SECOND, 0);
    ship(link, 4 * BYTES, SECOND, 0, 0);
    ship(link, BYTES / 2, SECOND, 0, 0);
    assertThat(link.serializer(chooser, 1)).isEqualTo(chooser.forLink(4 * BYTES));
  }

  @Test
  void aShortShipmentShowsNothing() {
    ship(link, LinkRate.MIN_BYTES - 1, SECOND, SECOND, 0);
    ship(link, LinkRate.MIN_BYTES - 1, SECOND, SECOND, 0);
    assertThat(link.serializer(chooser, 2)).isSameAs(chooser);
  }

  @Test
  void shipmentsAtATimeShareTheLink() {
    LinkRate.Use one = link.begin();
    LinkRate.Use other = link.begin();
    send(BYTES, SECOND, SECOND, 0);
    one.drained();
    other.drained();
    one.arrived();
    other.arrived();
    assertThat(link.serializer(chooser, 1)).isEqualTo(chooser.forLink(BYTES));
  }

  @Test
  void eachByteCountsForOnePeriod() {
    LinkRate.Use one = link.begin();
    send(BYTES, SECOND, SECOND, 0);
    LinkRate.Use other = link.begin();
    one.drained();
    one.arrived();
    send(2 * BYTES, SECOND, SECOND, 0);
    other.drained();
    other.arrived();
    assertThat(link.serializer(chooser, 1)).isEqualTo(chooser.forLink(2 * BYTES));
  }

  @Test
  void aShipmentThatFailedShowsNothing() {
    try (LinkRate.Use lost = link.begin()) {
      send(BYTES, 30 * SECOND, 30 * SECOND, 0);
      lost.drained();
    }
    assertThat(link.serializer(chooser, 2)).isSameAs(chooser);
  }
}
