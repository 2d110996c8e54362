package io.drayage.send;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.codec.Serializer;
import io.drayage.frame.StoreShare;
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

  /** A serializer that depends on the link, like {@code columnar}. */
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
    public Serializer forRate(long rate) {
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

  /** Ships a single shipment. */
  private void ship(LinkRate over, long bytes, long ns, long socketStallNs, long creditStallNs) {
    try (LinkRate.Use use = over.begin()) {
      send(bytes, ns, socketStallNs, creditStallNs);
      use.drained();
      nowNs.addAndGet(5 * SECOND); // The time of its commit.
      use.arrived();
    }
  }

  /** Checks the rate of the link; 0 if it is unknown. */
  private void assertShows(long rate) {
    assertThat(link.serializer(chooser, StoreShare.UNKNOWN, 1)).isEqualTo(new ForLink(rate));
  }

  @Test
  void aRateThatIsGivenIsSharedAmongThreads() {
    LinkRate given = linkOf(OptionalLong.of(1 << 30));
    ship(given, BYTES, SECOND, SECOND, 0);
    assertThat(given.serializer(chooser, StoreShare.UNKNOWN, 4))
        .isEqualTo(chooser.forRate(1 << 28));
  }

  @Test
  void theSlowerOfLinkAndStoreCounts() {
    LinkRate given = linkOf(OptionalLong.of(1 << 30));
    assertThat(given.serializer(chooser, new StoreShare(1 << 28, 0, 0), 2))
        .isEqualTo(chooser.forRate(1 << 27));
    assertThat(given.serializer(chooser, new StoreShare(1L << 32, 0, 0), 2))
        .isEqualTo(chooser.forRate(1 << 29));
  }

  @Test
  void loadingComesOnTop() {
    LinkRate given = linkOf(OptionalLong.of(1 << 30));
    // A byte needs 1 unit of time, 2 to be stored, and 2 for each of 3 loads.
    StoreShare store = new StoreShare(1 << 29, 1 << 29, 3);
    assertThat(given.serializer(chooser, store, 1)).isEqualTo(chooser.forRate(1 << 27));
    assertThat(given.serializer(chooser, new StoreShare(1 << 29, 0, 3), 1))
        .isEqualTo(chooser.forRate(1 << 29));
    assertThat(new StoreShare(1, 1, Integer.MAX_VALUE).behind(Long.MAX_VALUE)).isOne();
  }

  @Test
  void beforeAnUnknownLinkOnlyASlowStoreCounts() {
    assertThat(link.serializer(chooser, new StoreShare(1L << 32, 0, 0), 4)).isSameAs(chooser);
    assertThat(link.serializer(chooser, new StoreShare(1 << 26, 0, 0), 4))
        .isEqualTo(chooser.forRate(1 << 24));
  }

  @Test
  void aShipmentThatWaitedForTheSocketShowsTheRate() {
    ship(link, BYTES + 12_345, SECOND, SECOND * 3 / 4, SECOND / 8);
    assertShows(BYTES);
  }

  @Test
  void aShipmentThatWaitedForTheReceiverShowsNothing() {
    ship(link, BYTES, SECOND, SECOND * 2 / 5, SECOND * 3 / 5);
    assertShows(0);
  }

  @Test
  void aFasterShipmentShowsThatTheLinkIsNoSlower() {
    ship(link, BYTES, SECOND, SECOND, 0);
    ship(link, 4 * BYTES, SECOND, 0, 0);
    ship(link, BYTES / 2, SECOND, 0, 0);
    assertShows(4 * BYTES);
  }

  @Test
  void aShortShipmentShowsNothing() {
    ship(link, LinkRate.MIN_BYTES - 1, SECOND, SECOND, 0);
    ship(link, LinkRate.MIN_BYTES - 1, SECOND, SECOND, 0);
    assertShows(0);
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
    assertShows(BYTES);
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
    assertShows(2 * BYTES);
  }

  @Test
  void aShipmentThatFailedShowsNothing() {
    try (LinkRate.Use lost = link.begin()) {
      send(BYTES, 30 * SECOND, 30 * SECOND, 0);
      lost.drained();
    }
    assertShows(0);
  }
}
