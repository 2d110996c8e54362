package io.drayage.transport;

import io.drayage.frame.Credit;
import io.drayage.metrics.DrayageMetrics;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a transport may be told. Every transport takes what applies to it.
 *
 * @param openTimeout how long a client waits for a connection and the answer to its request, and
 *     how long a server waits for the request
 * @param idleTimeout how long a peer may send nothing at all, heartbeats included, before it counts
 *     as gone
 * @param stallTimeout how long a worker that could send may send nothing but heartbeats before the
 *     transactor fails its shipment
 * @param shipmentCreditBytes bytes of frames that one shipment may have under way or undecoded;
 *     divided among its connections, though never into less than the largest frame for each
 * @param serverBudgetBytes the same for all shipments of a server together
 * @param connections how many connections a worker would like to use for a shipment
 * @param congestionControl the algorithm of TCP's congestion control, by the operating system's
 *     name for it; null: the operating system's choice, but one without pacing over loopback
 * @param linkBytesPerSecond what lies between the two ends carries, for serializers that choose by
 *     it; null: nobody has said so
 * @param resumeWindow how long a transactor keeps a shipment whose connections are lost; zero: not
 *     at all
 * @param drainTimeout how long a server that is closed lets shipments under way go on
 * @param peerLimits what a server takes from its workers
 * @param tls how the connections are secured; null: not at all
 * @param insecure whether a server may listen beyond the loopback interface without TLS
 * @param metrics where the transport counts; null: nobody wants to know
 */
public record TransportOptions(
    Duration openTimeout,
    Duration idleTimeout,
    Duration stallTimeout,
    long shipmentCreditBytes,
    long serverBudgetBytes,
    int connections,
    @Nullable String congestionControl,
    @Nullable Long linkBytesPerSecond,
    Duration resumeWindow,
    Duration drainTimeout,
    PeerLimits peerLimits,
    @Nullable TlsOptions tls,
    boolean insecure,
    @Nullable DrayageMetrics metrics) {
  /** What is taken for the rate between two processes of one machine: no wire to save. */
  public static final long LOOPBACK_BYTES_PER_SECOND = 1L << 40;

  /**
   * The congestion control over loopback: it does not pace, and every user of every Linux may use
   * it. See {@code docs/decisions/0010-no-pacing-on-loopback.md}.
   */
  public static final String UNPACED_CONGESTION_CONTROL = "reno";

  /** The most connections of one shipment. */
  public static final int MAX_CONNECTIONS = 16;

  /** What Linux takes for a name: less than TCP_CA_NAME_MAX characters. */
  private static final Pattern CONGESTION_CONTROL = Pattern.compile("[a-z0-9_]{1,15}");

  /**
   * 10 s to open, 30 s of silence, 2 minutes without progress, 8 MiB for a shipment and 128 MiB for
   * a server, one connection, 30 s to resume, 10 s to drain, no TLS, and so nothing but loopback.
   */
  public static final TransportOptions DEFAULT =
      new TransportOptions(
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          Duration.ofMinutes(2),
          8 << 20,
          128 << 20,
          1,
          null,
          null,
          Duration.ofSeconds(30),
          Duration.ofSeconds(10),
          PeerLimits.DEFAULT,
          null,
          false,
          null);

  public TransportOptions {
    requirePositive("openTimeout", openTimeout);
    requirePositive("idleTimeout", idleTimeout);
    requirePositive("stallTimeout", stallTimeout);
    requireNotNegative("resumeWindow", resumeWindow);
    requireNotNegative("drainTimeout", drainTimeout);
    if (shipmentCreditBytes < Credit.MAX_CHARGE_BYTES || shipmentCreditBytes > serverBudgetBytes) {
      throw new IllegalArgumentException(
          "shipmentCreditBytes must be %,d, the largest frame, to serverBudgetBytes (%,d), not %,d"
              .formatted(Credit.MAX_CHARGE_BYTES, serverBudgetBytes, shipmentCreditBytes));
    }
    if (congestionControl != null && !CONGESTION_CONTROL.matcher(congestionControl).matches()) {
      throw new IllegalArgumentException(
          "congestionControl must be 1 to 15 letters, digits and _, not '%s'"
              .formatted(congestionControl));
    }
    if (linkBytesPerSecond != null && linkBytesPerSecond <= 0) {
      throw new IllegalArgumentException(
          "linkBytesPerSecond must be positive, not %,d".formatted(linkBytesPerSecond));
    }
    if (connections < 1 || connections > MAX_CONNECTIONS) {
      throw new IllegalArgumentException(
          "connections must be 1 to %d, not %,d".formatted(MAX_CONNECTIONS, connections));
    }
  }

  private static void requirePositive(String name, Duration duration) {
    if (duration.isNegative() || duration.isZero()) {
      throw new IllegalArgumentException(name + " must be positive, not " + duration);
    }
  }

  private static void requireNotNegative(String name, Duration duration) {
    if (duration.isNegative()) {
      throw new IllegalArgumentException(name + " must not be negative, but is " + duration);
    }
  }

  /** The same with another time to open. */
  public TransportOptions withOpenTimeout(Duration timeout) {
    return new Builder(this).openTimeout(timeout).build();
  }

  /** The same with another idle timeout. */
  public TransportOptions withIdleTimeout(Duration timeout) {
    return new Builder(this).idleTimeout(timeout).build();
  }

  /** The same with another time without progress. */
  public TransportOptions withStallTimeout(Duration timeout) {
    return new Builder(this).stallTimeout(timeout).build();
  }

  /** The same with other bounds on the receiver's memory. */
  public TransportOptions withReceiverBytes(long perShipment, long perServer) {
    return new Builder(this).receiverBytes(perShipment, perServer).build();
  }

  /** The same with another number of connections for a shipment. */
  public TransportOptions withConnections(int count) {
    return new Builder(this).connections(count).build();
  }

  /** The same with another congestion control; null: as it comes. */
  public TransportOptions withCongestionControl(@Nullable String algorithm) {
    return new Builder(this).congestionControl(algorithm).build();
  }

  /** The same over a link of another rate; null: it is not known. */
  public TransportOptions withLinkBytesPerSecond(@Nullable Long rate) {
    return new Builder(this).linkBytesPerSecond(rate).build();
  }

  /** The same with another time to resume. */
  public TransportOptions withResumeWindow(Duration window) {
    return new Builder(this).resumeWindow(window).build();
  }

  /** The same with another time to drain. */
  public TransportOptions withDrainTimeout(Duration timeout) {
    return new Builder(this).drainTimeout(timeout).build();
  }

  /** The same with other limits for peers. */
  public TransportOptions withPeerLimits(PeerLimits limits) {
    return new Builder(this).peerLimits(limits).build();
  }

  /** The same with connections that are secured this way; null: not at all. */
  public TransportOptions withTls(@Nullable TlsOptions options) {
    return new Builder(this).tls(options).build();
  }

  /** The same, but whether a server may listen beyond the loopback interface without TLS. */
  public TransportOptions withInsecure(boolean allowed) {
    return new Builder(this).insecure(allowed).build();
  }

  /** The same, counting in {@code metrics}: those of the sender or receiver that uses it. */
  public TransportOptions withMetrics(DrayageMetrics metrics) {
    return new Builder(this).metrics(metrics).build();
  }

  /**
   * What is known of the link to {@code peer} before anything is sent: what was given, or that it
   * is this machine.
   */
  public OptionalLong linkTo(InetSocketAddress peer) {
    if (linkBytesPerSecond != null) {
      return OptionalLong.of(linkBytesPerSecond);
    }
    InetAddress host = peer.getAddress();
    return host != null && host.isLoopbackAddress()
        ? OptionalLong.of(LOOPBACK_BYTES_PER_SECOND)
        : OptionalLong.empty();
  }

  /**
   * TCP's congestion control for a connection to {@code peer}: what was given, or one that does not
   * pace over loopback, which cannot be congested; null for the operating system's choice.
   */
  public @Nullable String congestionControlTo(InetSocketAddress peer) {
    InetAddress host = peer.getAddress();
    return congestionControl == null && host != null && host.isLoopbackAddress()
        ? UNPACED_CONGESTION_CONTROL
        : congestionControl;
  }

  /** The metrics to count in; fresh ones if there are none. */
  public DrayageMetrics metricsOrNew() {
    return metrics == null ? new DrayageMetrics() : metrics;
  }

  /**
   * Every server asks this before it listens.
   *
   * @throws IllegalArgumentException if everyone who reaches {@code address} could ship cargoes,
   *     and nobody has said that this is meant
   */
  public void requireSecured(InetSocketAddress address) {
    InetAddress host = address.getAddress();
    if (tls == null && !insecure && host != null && !host.isLoopbackAddress()) {
      throw new IllegalArgumentException(
          "listening at %s without TLS would let anyone who reaches it read and ship cargoes: give TransportOptions.withTls, or accept it with withInsecure(true)"
              .formatted(address));
    }
  }

  /** Changes one thing at a time, so that the {@code with} methods need not repeat the others. */
  private static final class Builder {
    private Duration openTimeout;
    private Duration idleTimeout;
    private Duration stallTimeout;
    private long shipmentCreditBytes;
    private long serverBudgetBytes;
    private int connections;
    private @Nullable String congestionControl;
    private @Nullable Long linkBytesPerSecond;
    private Duration resumeWindow;
    private Duration drainTimeout;
    private PeerLimits peerLimits;
    private @Nullable TlsOptions tls;
    private boolean insecure;
    private @Nullable DrayageMetrics metrics;

    Builder(TransportOptions from) {
      this.openTimeout = from.openTimeout;
      this.idleTimeout = from.idleTimeout;
      this.stallTimeout = from.stallTimeout;
      this.shipmentCreditBytes = from.shipmentCreditBytes;
      this.serverBudgetBytes = from.serverBudgetBytes;
      this.connections = from.connections;
      this.congestionControl = from.congestionControl;
      this.linkBytesPerSecond = from.linkBytesPerSecond;
      this.resumeWindow = from.resumeWindow;
      this.drainTimeout = from.drainTimeout;
      this.peerLimits = from.peerLimits;
      this.tls = from.tls;
      this.insecure = from.insecure;
      this.metrics = from.metrics;
    }

    Builder openTimeout(Duration timeout) {
      this.openTimeout = timeout;
      return this;
    }

    Builder idleTimeout(Duration timeout) {
      this.idleTimeout = timeout;
      return this;
    }

    Builder stallTimeout(Duration timeout) {
      this.stallTimeout = timeout;
      return this;
    }

    Builder receiverBytes(long perShipment, long perServer) {
      this.shipmentCreditBytes = perShipment;
      this.serverBudgetBytes = perServer;
      return this;
    }

    Builder connections(int count) {
      this.connections = count;
      return this;
    }

    Builder congestionControl(@Nullable String algorithm) {
      this.congestionControl = algorithm;
      return this;
    }

    Builder linkBytesPerSecond(@Nullable Long rate) {
      this.linkBytesPerSecond = rate;
      return this;
    }

    Builder resumeWindow(Duration window) {
      this.resumeWindow = window;
      return this;
    }

    Builder drainTimeout(Duration timeout) {
      this.drainTimeout = timeout;
      return this;
    }

    Builder peerLimits(PeerLimits limits) {
      this.peerLimits = limits;
      return this;
    }

    Builder tls(@Nullable TlsOptions options) {
      this.tls = options;
      return this;
    }

    Builder insecure(boolean allowed) {
      this.insecure = allowed;
      return this;
    }

    Builder metrics(DrayageMetrics metrics) {
      this.metrics = metrics;
      return this;
    }

    TransportOptions build() {
      return new TransportOptions(
          openTimeout,
          idleTimeout,
          stallTimeout,
          shipmentCreditBytes,
          serverBudgetBytes,
          connections,
          congestionControl,
          linkBytesPerSecond,
          resumeWindow,
          drainTimeout,
          peerLimits,
          tls,
          insecure,
          metrics);
    }
  }
}
