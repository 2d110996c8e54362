package io.drayage.transport.netty;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.unix.RawUnixChannelOption;
import io.netty.util.internal.logging.InternalLogger;
import io.netty.util.internal.logging.InternalLoggerFactory;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Chooses TCP's congestion control for a connection as soon as its peer is known.
 *
 * <p>Loopback cannot be congested, but an algorithm that paces (BBR) still holds packets back by
 * timer, which costs a fifth of the time; there, one is chosen that does not pace and that every
 * Linux allows. See {@code docs/decisions/0010-no-pacing-on-loopback.md}.
 */
final class CongestionControl extends ChannelInboundHandlerAdapter {
  /** Allowed to every user on every Linux, and does not pace. */
  static final String UNPACED = "reno";

  private static final InternalLogger LOG =
      InternalLoggerFactory.getInstance(CongestionControl.class);

  private static final int IPPROTO_TCP = 6;
  private static final int TCP_CONGESTION = 13;

  private final @Nullable String algorithm;

  /**
   * @param algorithm what to use; null: the operating system's, but {@link #UNPACED} on loopback
   */
  CongestionControl(@Nullable String algorithm) {
    this.algorithm = algorithm;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    String chosen = algorithm == null ? UNPACED : algorithm;
    if (algorithm != null || isLoopback(context.channel())) {
      set(context.channel(), chosen);
    }
    context.fireChannelActive();
  }

  private static boolean isLoopback(Channel channel) {
    return channel.remoteAddress() instanceof InetSocketAddress peer
        && peer.getAddress() != null
        && peer.getAddress().isLoopbackAddress();
  }

  /** A connection that cannot have it works as well, only slower; NIO knows no such option. */
  private static void set(Channel channel, String algorithm) {
    byte[] name = algorithm.getBytes(StandardCharsets.US_ASCII);
    RawUnixChannelOption option =
        new RawUnixChannelOption("TCP_CONGESTION", IPPROTO_TCP, TCP_CONGESTION, name.length);
    try {
      if (!channel.config().setOption(option, ByteBuffer.wrap(name))) {
        LOG.debug("congestion control {} cannot be set on {}", algorithm, channel);
      }
    } catch (ChannelException e) {
      LOG.warn("congestion control {} is not available: {}", algorithm, e.toString());
    }
  }
}
