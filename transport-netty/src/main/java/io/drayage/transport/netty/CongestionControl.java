package io.drayage.transport.netty;

import io.drayage.transport.TransportOptions;
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

/**
 * Selects TCP's congestion control for a connection as soon as its peer is known.
 *
 * <p>An algorithm that paces (BBR) delays packets by timer even over loopback, which costs a fifth
 * of the time. {@link TransportOptions#congestionControlTo} selects another algorithm there. See
 * {@code docs/decisions/connections.md}.
 */
final class CongestionControl extends ChannelInboundHandlerAdapter {
  private static final InternalLogger LOG =
      InternalLoggerFactory.getInstance(CongestionControl.class);

  private static final int IPPROTO_TCP = 6;
  private static final int TCP_CONGESTION = 13;

  @Override
  public void channelActive(ChannelHandlerContext context) {
    String chosen =
        context.channel().remoteAddress() instanceof InetSocketAddress peer
            ? TransportOptions.congestionControlTo(peer)
            : null;
    if (chosen != null) {
      set(context.channel(), chosen);
    }
    context.fireChannelActive();
  }

  /** Sets the algorithm if possible. A connection works without it, only slower. NIO has none. */
  private static void set(Channel channel, String algorithm) {
    byte[] name = algorithm.getBytes(StandardCharsets.US_ASCII);
    RawUnixChannelOption option =
        new RawUnixChannelOption("TCP_CONGESTION", IPPROTO_TCP, TCP_CONGESTION, name.length);
    try {
      if (!channel.config().setOption(option, ByteBuffer.wrap(name))) {
        LOG.debug("congestion control {} cannot be set on {}", algorithm, channel);
      }
    } catch (ChannelException e) {
      LOG.debug("congestion control {} is not available: {}", algorithm, e.toString());
    }
  }
}
