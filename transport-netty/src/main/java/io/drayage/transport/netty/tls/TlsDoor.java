package io.drayage.transport.netty.tls;

import io.drayage.frame.Failure;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameType;
import io.drayage.frame.ShipmentException;
import io.drayage.transport.HostPort;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Precedes the TLS of a server's connection until the handshake is done, so that a refused peer
 * learns the reason. A peer without TLS gets the reason in plain bytes, and a peer whose handshake
 * fails has time to read the alert. Closing at once, with unread bytes of the peer, would reset the
 * connection before the peer has read the reason.
 */
final class TlsDoor extends ChannelDuplexHandler {
  /** Time that a refused connection may stay. */
  private static final long LINGER_MS = 1_000;

  /** The first byte that a TLS client sends. */
  private static final byte HANDSHAKE_RECORD = 22;

  private final SslHandler tls;
  private boolean heard;
  private boolean closing;

  TlsDoor(SslHandler tls) {
    this.tls = tls;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    tls.handshakeFuture()
        .addListener(
            done -> {
              if (done.isSuccess() && !context.isRemoved()) {
                context.pipeline().remove(this);
              }
            });
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    if (closing || !bytes.isReadable()) {
      bytes.release();
    } else if (heard || bytes.getByte(bytes.readerIndex()) == HANDSHAKE_RECORD) {
      heard = true;
      context.fireChannelRead(bytes);
    } else {
      bytes.release();
      refusePlainText(context);
    }
  }

  private void refusePlainText(ChannelHandlerContext context) {
    closing = true;
    ShipmentException cause =
        new ShipmentException(
            Fault.REFUSED,
            "%s accepts TLS only: connect with TLS, --tls-ca"
                .formatted(HostPort.text(context.channel().localAddress())));
    context
        .writeAndFlush(
            Unpooled.wrappedBuffer(
                Failure.toFrame(
                    FrameType.FAILED, 0, cause.withOutcome(ShipmentException.Outcome.UNKNOWN))))
        .addListener(written -> linger(context));
  }

  @Override
  public void close(ChannelHandlerContext context, ChannelPromise promise) {
    context.channel().closeFuture().addListener(closed -> promise.trySuccess());
    if (!context.channel().isActive()) {
      end(context);
    } else if (!closing) {
      closing = true;
      linger(context);
    }
  }

  private static void linger(ChannelHandlerContext context) {
    SocketChannel channel = (SocketChannel) context.channel();
    ChannelFuture unused = channel.shutdownOutput(); // The peer sees it, or is gone.
    Future<?> end =
        channel.eventLoop().schedule(() -> end(context), LINGER_MS, TimeUnit.MILLISECONDS);
    channel.closeFuture().addListener(closed -> end.cancel(false));
  }

  @SuppressWarnings("FutureReturnValueIgnored") // The handlers see it become inactive.
  private static void end(ChannelHandlerContext context) {
    context.close();
  }
}
