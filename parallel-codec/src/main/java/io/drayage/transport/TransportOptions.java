package io.drayage.transport;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.Credit;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The options of a transport; each transport uses the options that apply to it. Built by a {@link
 * #builder()}.
 *
 * @param openTimeout the longest wait of a client for a connection and the answer to its request
 *     (half as much again if a connection that it had kept turns out silent), and of a server for
 *     the request
 * @param idleTimeout the longest time without any byte from a peer, heartbeats included
 * @param stallTimeout the longest time in which a worker that could send sends nothing but
 *     heartbeats; afterwards the transactor fails its shipment
 * @param shipmentCreditBytes bytes of frames that one shipment may have in flight or undecoded;
 *     divided among its connections, with at least the largest frame for each
 * @param serverBudgetBytes the same for all shipments of a server together
 * @param connections number of connections that a worker would like to use for a shipment
 * @param linkBytesPerSecond bytes a second of the whole link, for serializers that choose by it;
 *     null: unknown
 * @param resumeWindow the time for which a transactor keeps a shipment whose connections are lost;
 *     zero: not at all
 * @param drainTimeout the time for which a closing server lets open shipments continue
 * @param peerLimits the limits of a server for its workers
 * @param tls how the connections are secured; null: not at all
 * @param insecure whether a server may listen beyond the loopback interface without TLS
 */
public record TransportOptions(
    Duration openTimeout,
    Duration idleTimeout,
    Duration stallTimeout,
    long shipmentCreditBytes,
    long serverBudgetBytes,
    int connections,
    @Nullable Long linkBytesPerSecond,
    Duration resumeWindow,
    Duration drainTimeout,
    PeerLimits peerLimits,
    @Nullable TlsOptions tls,
    boolean insecure) {
  /** The rate assumed between two processes of one machine, which have no wire to save. */
  public static final long LOOPBACK_BYTES_PER_SECOND = 1L << 40;

  /**
   * The congestion control over loopback: it does not pace, and every user of every Linux may use
   * it. See {@code docs/decisions/connections.md}.
   */
  public static final String UNPACED_CONGESTION_CONTROL = "reno";

  /** Maximum number of connections of a shipment by default, which are event loops of one end. */
  private static final int MAX_DEFAULT_CONNECTIONS = 4;

  /** Maximum number of connections of one shipment. */
  public static final int MAX_CONNECTIONS = 16;

  /**
   * 10 s to open, 30 s of silence, 2 minutes without progress, 8 MiB for a shipment and 128 MiB for
   * a server, a connection a core and at most 4, 30 s to resume, 10 s to drain, no TLS, and so
   * loopback only.
   */
  public static final TransportOptions DEFAULT =
      new TransportOptions(
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          Duration.ofMinutes(2),
          8 << 20,
          128 << 20,
          Math.min(MAX_DEFAULT_CONNECTIONS, Runtime.getRuntime().availableProcessors()),
          null,
          Duration.ofSeconds(30),
          Duration.ofSeconds(10),
          PeerLimits.DEFAULT,
          null,
          false);

  public TransportOptions {
    requirePositive("openTimeout", openTimeout);
    requirePositive("idleTimeout", idleTimeout);
    requirePositive("stallTimeout", stallTimeout);
    requireNotNegative("resumeWindow", resumeWindow);
    requireNotNegative("drainTimeout", drainTimeout);
    if (shipmentCreditBytes < Credit.MAX_CHARGE_BYTES || shipmentCreditBytes > serverBudgetBytes) {
      throw new IllegalArgumentException(
          format(
              "shipmentCreditBytes must be %,d, the largest frame, to serverBudgetBytes (%,d), not %,d",
              Credit.MAX_CHARGE_BYTES, serverBudgetBytes, shipmentCreditBytes));
    }
    if (connections < 1 || connections > MAX_CONNECTIONS) {
      throw new IllegalArgumentException(
          format("connections must be 1 to %d, not %,d", MAX_CONNECTIONS, connections));
    }
    if (linkBytesPerSecond != null && linkBytesPerSecond <= 0) {
      throw new IllegalArgumentException(
          format("linkBytesPerSecond must be positive, not %,d", linkBytesPerSecond));
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

  /**
   * Returns the rate of the link to {@code peer} as far as it is known before anything is sent: the
   * configured rate, or {@link #LOOPBACK_BYTES_PER_SECOND} for this machine.
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
   * TCP's congestion control for a connection to {@code peer}. Loopback cannot be congested, so its
   * control does not pace. Null otherwise: the operating system's choice.
   */
  public static @Nullable String congestionControlTo(InetSocketAddress peer) {
    InetAddress host = peer.getAddress();
    return host != null && host.isLoopbackAddress() ? UNPACED_CONGESTION_CONTROL : null;
  }

  /**
   * Checks that a server may listen at {@code address}. Every server calls this before it listens.
   *
   * @throws IllegalArgumentException if anyone who reaches {@code address} could ship cargoes, and
   *     this is not allowed explicitly
   */
  public void requireSecured(InetSocketAddress address) {
    InetAddress host = address.getAddress();
    if (tls == null && !insecure && host != null && !host.isLoopbackAddress()) {
      throw new IllegalArgumentException(
          "listening at %s without TLS would let anyone who reaches it read and ship cargoes: set TransportOptions.Builder.tls, or accept it with insecure(true)"
              .formatted(address));
    }
  }

  /** Starts from {@link #DEFAULT}. */
  public static Builder builder() {
    return DEFAULT.toBuilder();
  }

  /** Starts from these options. */
  public Builder toBuilder() {
    return new Builder(this);
  }

  /** Changes options, each documented at the component of its name. Not thread-safe. */
  public static final class Builder {
    private Duration openTimeout;
    private Duration idleTimeout;
    private Duration stallTimeout;
    private long shipmentCreditBytes;
    private long serverBudgetBytes;
    private int connections;
    private @Nullable Long linkBytesPerSecond;
    private Duration resumeWindow;
    private Duration drainTimeout;
    private PeerLimits peerLimits;
    private @Nullable TlsOptions tls;
    private boolean insecure;

    private Builder(TransportOptions from) {
      this.openTimeout = from.openTimeout;
      this.idleTimeout = from.idleTimeout;
      this.stallTimeout = from.stallTimeout;
      this.shipmentCreditBytes = from.shipmentCreditBytes;
      this.serverBudgetBytes = from.serverBudgetBytes;
      this.connections = from.connections;
      this.linkBytesPerSecond = from.linkBytesPerSecond;
      this.resumeWindow = from.resumeWindow;
      this.drainTimeout = from.drainTimeout;
      this.peerLimits = from.peerLimits;
      this.tls = from.tls;
      this.insecure = from.insecure;
    }

    /** Sets {@link TransportOptions#openTimeout}, which must be positive. */
    public Builder openTimeout(Duration timeout) {
      openTimeout = timeout;
      return this;
    }

    /** Sets {@link TransportOptions#idleTimeout}, which must be positive. */
    public Builder idleTimeout(Duration timeout) {
      idleTimeout = timeout;
      return this;
    }

    /** Sets {@link TransportOptions#stallTimeout}, which must be positive. */
    public Builder stallTimeout(Duration timeout) {
      stallTimeout = timeout;
      return this;
    }

    /** Sets the credit of one shipment, and the budget of all shipments of a server, in bytes. */
    public Builder receiverBytes(long perShipment, long perServer) {
      shipmentCreditBytes = perShipment;
      serverBudgetBytes = perServer;
      return this;
    }

    /** Sets {@link TransportOptions#connections}: 1 to {@value #MAX_CONNECTIONS}. */
    public Builder connections(int count) {
      connections = count;
      return this;
    }

    /** Sets {@link TransportOptions#linkBytesPerSecond}; null: unknown. */
    public Builder linkBytesPerSecond(@Nullable Long rate) {
      linkBytesPerSecond = rate;
      return this;
    }

    /** Sets {@link TransportOptions#resumeWindow}; zero: no shipment is resumed. */
    public Builder resumeWindow(Duration window) {
      resumeWindow = window;
      return this;
    }

    /** Sets {@link TransportOptions#drainTimeout}; zero: open shipments fail immediately. */
    public Builder drainTimeout(Duration timeout) {
      drainTimeout = timeout;
      return this;
    }

    /** Sets {@link TransportOptions#peerLimits}, of a server. */
    public Builder peerLimits(PeerLimits limits) {
      peerLimits = limits;
      return this;
    }

    /** Sets {@link TransportOptions#tls}; null: no TLS. */
    public Builder tls(@Nullable TlsOptions options) {
      tls = options;
      return this;
    }

    /** Sets {@link TransportOptions#insecure}, of a server. */
    public Builder insecure(boolean allowed) {
      insecure = allowed;
      return this;
    }

    /**
     * Builds the options.
     *
     * @throws IllegalArgumentException if an option is outside its range
     */
    public TransportOptions build() {
      return new TransportOptions(
          openTimeout,
          idleTimeout,
          stallTimeout,
          shipmentCreditBytes,
          serverBudgetBytes,
          connections,
          linkBytesPerSecond,
          resumeWindow,
          drainTimeout,
          peerLimits,
          tls,
          insecure);
    }
  }
}
