package io.drayage.bench.ceiling;

import io.drayage.bench.child.ControlMessages.Listening;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.netty.NativeIo;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.unix.RawUnixChannelOption;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;

/**
 * Moves bytes between two processes at the highest rate of one connection, with the socket options
 * of the transport: pieces of 1 MiB, nothing encoded, read into pooled buffers and dropped. No
 * shipment of as many bytes over one connection can be faster. Not thread-safe.
 */
final class RawSocket implements AutoCloseable {
  private static final int PIECE_BYTES = 1 << 20;

  /** The number of the transport's leases with the usual settings. */
  private static final int MAX_PIECES_IN_FLIGHT = 8;

  private static final int IPPROTO_TCP = 6;
  private static final int TCP_CONGESTION = 13;

  private final NativeIo io = NativeIo.best();
  private final EventLoopGroup group = io.newGroup(1, "raw-socket");

  /** Reads to the end of a connection, and closes it. */
  @ChannelHandler.Sharable
  private static final class Dropper extends SimpleChannelInboundHandler<ByteBuf> {
    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf bytes) {
      // The caller releases it.
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // The connection is only closed after this.
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      context.close();
    }
  }

  /**
   * Reads and drops the bytes of connections to {@code address}, until this is closed.
   *
   * @return the address with its port
   * @throws IOException if it cannot be bound
   */
  InetSocketAddress listen(Listening address) throws IOException {
    ChannelFuture bound =
        new ServerBootstrap()
            .group(group)
            .channel(io.serverChannel())
            .childOption(
                ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(PIECE_BYTES))
            .childHandler(new Dropper())
            .bind(address.address())
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      throw new IOException("cannot listen at %s".formatted(address), bound.cause());
    }
    return (InetSocketAddress) bound.channel().localAddress();
  }

  /**
   * Moves {@code bytes} over a new connection, and waits until the other end has read all of them.
   *
   * @return the number of bytes
   * @throws IOException if nobody listens there, or the connection was lost
   */
  long send(InetSocketAddress sink, long bytes) throws IOException, InterruptedException {
    ChannelFuture connected = client(sink).connect(sink);
    SocketChannel channel = (SocketChannel) connected.channel();
    require(connected, "cannot connect to " + sink);
    ByteBuffer piece = ByteBuffer.allocateDirect(PIECE_BYTES);
    ArrayDeque<ChannelFuture> inFlight = new ArrayDeque<>();
    for (long left = bytes; left > 0; left -= PIECE_BYTES) {
      int count = (int) Math.min(left, PIECE_BYTES);
      inFlight.add(channel.writeAndFlush(Unpooled.wrappedBuffer(piece.slice(0, count))));
      if (inFlight.size() == MAX_PIECES_IN_FLIGHT) {
        require(inFlight.remove(), "the sink is gone");
      }
    }
    for (ChannelFuture written : inFlight) {
      require(written, "the sink is gone");
    }
    require(channel.shutdownOutput(), "the sink is gone");
    channel.closeFuture().await();
    return bytes;
  }

  private static void require(ChannelFuture done, String otherwise)
      throws IOException, InterruptedException {
    if (!done.await().isSuccess()) {
      throw new IOException("%s: %s".formatted(otherwise, done.cause().getMessage()), done.cause());
    }
  }

  private Bootstrap client(InetSocketAddress sink) {
    Bootstrap client =
        new Bootstrap()
            .group(group)
            .channel(io.socketChannel())
            .option(ChannelOption.TCP_NODELAY, true)
            .handler(new Dropper());
    String algorithm = TransportOptions.congestionControlTo(sink);
    // NIO lacks the option: it works, but more slowly if the default paces.
    if (algorithm != null && io != NativeIo.NIO) {
      byte[] name = algorithm.getBytes(StandardCharsets.US_ASCII);
      client.option(
          new RawUnixChannelOption("TCP_CONGESTION", IPPROTO_TCP, TCP_CONGESTION, name.length),
          ByteBuffer.wrap(name));
    }
    return client;
  }

  @Override
  public void close() {
    group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
