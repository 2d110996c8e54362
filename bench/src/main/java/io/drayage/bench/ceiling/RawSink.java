package io.drayage.bench.ceiling;

import io.drayage.transport.netty.NativeIo;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.ServerChannel;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/**
 * The receiver of a {@link RawSource}: reads pieces of the transport's frame size into pooled
 * buffers and drops them. A transfer is a length of 8 bytes and that many bytes more; the sink
 * answers each with one byte when it has read it. Thread-safe.
 */
final class RawSink implements AutoCloseable {
  /** Bytes of one read, and of one write of the source. */
  static final int PIECE_BYTES = 1 << 20;

  private final EventLoopGroup group;
  private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
  private final ServerChannel listening;

  private RawSink(EventLoopGroup group, ServerBootstrap server, InetSocketAddress address)
      throws IOException {
    this.group = group;
    ChannelFuture bound =
        server
            .group(group)
            .childOption(
                ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(PIECE_BYTES))
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    connections.add(channel);
                    channel.pipeline().addLast(new Reader());
                  }
                })
            .bind(address)
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
      throw new IOException(
          "cannot listen at %s: %s".formatted(address, bound.cause().getMessage()), bound.cause());
    }
    this.listening = (ServerChannel) bound.channel();
  }

  /**
   * Listens at {@code address}.
   *
   * @throws IOException if it cannot be bound
   */
  static RawSink listen(NativeIo io, InetSocketAddress address) throws IOException {
    return new RawSink(
        io.newGroup(1, "raw-sink"), new ServerBootstrap().channel(io.serverChannel()), address);
  }

  /** The address that it listens at. */
  InetSocketAddress address() {
    return (InetSocketAddress) listening.localAddress();
  }

  @Override
  public void close() {
    listening.close().awaitUninterruptibly();
    connections.close().awaitUninterruptibly();
    group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  /** Counts down each transfer, and answers its end. */
  private static final class Reader extends SimpleChannelInboundHandler<ByteBuf> {
    private long length;
    private int lengthBytes;
    private long left;

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf bytes) {
      while (bytes.isReadable()) {
        if (lengthBytes < Long.BYTES) {
          length = length << Byte.SIZE | bytes.readUnsignedByte();
          lengthBytes++;
          left = length;
        } else {
          int count = (int) Math.min(left, bytes.readableBytes());
          bytes.skipBytes(count);
          left -= count;
        }
        if (lengthBytes == Long.BYTES && left == 0) {
          lengthBytes = 0;
          length = 0;
          context
              .writeAndFlush(Unpooled.wrappedBuffer(new byte[1]))
              .addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
        }
      }
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // Closing is all that is left to do.
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      context.close();
    }
  }
}
