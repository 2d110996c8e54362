package io.drayage.transport.netty;

import io.drayage.frame.Failure;
import io.drayage.frame.FrameType;
import io.drayage.frame.Join;
import io.drayage.frame.ShipmentException;
import io.drayage.transport.ResumeTicket;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;

/**
 * A connection that only cancels a shipment whose own connections are gone: it sends JOIN and
 * CANCEL at once. If it does not get through, the shipment expires.
 */
final class Farewell extends ChannelInboundHandlerAdapter {
  private static final Duration LINGER = Duration.ofSeconds(2);

  private final SocketChannel channel;
  private final ResumeTicket ticket;
  private final ShipmentException cause;

  Farewell(SocketChannel channel, ResumeTicket ticket, ShipmentException cause) {
    this.channel = channel;
    this.ticket = ticket;
    this.cause = cause;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    long id = ticket.shipmentId();
    Channels.write(channel, new Join(ticket.token(), Join.Purpose.RESUME).toFrame(id));
    ChannelFuture unused =
        Channels.writeLast(channel, Failure.toFrame(FrameType.CANCEL, id, cause), LINGER);
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
