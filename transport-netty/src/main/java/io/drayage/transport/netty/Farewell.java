package io.drayage.transport.netty;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.ReferenceCountUtil;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * A connection that only sends some control frames, to a refused peer or for an abandoned shipment,
 * and drops all input. It allocates nothing else.
 */
final class Farewell extends ChannelInboundHandlerAdapter {
  private final SocketChannel channel;
  private final Duration linger;
  private final ByteBuffer[] frames;

  /**
   * @param linger the time that the connection stays, so that its peer reads the frames
   */
  Farewell(SocketChannel channel, Duration linger, ByteBuffer... frames) {
    this.channel = channel;
    this.linger = linger;
    this.frames = frames;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    ChannelFuture unused = Channels.writeLast(channel, linger, frames);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ReferenceCountUtil.release(message);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable broken) {
    Channels.close(channel);
  }
}
