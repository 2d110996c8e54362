package io.drayage.bench.ceiling;

import io.drayage.transport.TransportOptions;
import io.drayage.transport.netty.NativeIo;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.unix.RawUnixChannelOption;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Moves bytes to a {@link RawSink} as fast as one connection can, with the socket options of the
 * transport: pieces of 1 MiB, written again and again from a few buffers, one flush for as many as
 * the socket takes, nothing encoded. No shipment of as many bytes over one connection can take less
 * time. Not thread-safe.
 */
final class RawSource implements AutoCloseable {
  /** As many as the transport's leases come to in the usual setting. */
  private static final int BUFFERS = 8;

  private static final WriteBufferWaterMark WATER_MARK = new WriteBufferWaterMark(1 << 20, 4 << 20);
  private static final int IPPROTO_TCP = 6;
  private static final int TCP_CONGESTION = 13;

  private final EventLoopGroup group;
  private final SocketChannel channel;
  private final Writer writer = new Writer();

  private RawSource(EventLoopGroup group, Bootstrap client, InetSocketAddress sink)
      throws IOException, InterruptedException {
    this.group = group;
    ChannelFuture connected =
        client
            .group(group)
            .option(ChannelOption.TCP_NODELAY, true)
            .option(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
            .handler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel fresh) {
                    fresh.pipeline().addLast(writer);
                  }
                })
            .connect(sink)
            .await();
    if (!connected.isSuccess()) {
      group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
      throw new IOException(
          "cannot connect to %s: %s".formatted(sink, connected.cause().getMessage()),
          connected.cause());
    }
    this.channel = (SocketChannel) connected.channel();
    setCongestionControl(TransportOptions.DEFAULT.congestionControlTo(sink));
  }

  /**
   * Connects to a sink.
   *
   * @throws IOException if no sink listens there
   */
  static RawSource connect(NativeIo io, InetSocketAddress sink)
      throws IOException, InterruptedException {
    return new RawSource(
        io.newGroup(1, "raw-source"), new Bootstrap().channel(io.socketChannel()), sink);
  }

  /** NIO knows no such option, and works as well, only slower where the default paces. */
  private void setCongestionControl(@Nullable String algorithm) {
    if (algorithm != null) {
      byte[] name = algorithm.getBytes(StandardCharsets.US_ASCII);
      channel
          .config()
          .setOption(
              new RawUnixChannelOption("TCP_CONGESTION", IPPROTO_TCP, TCP_CONGESTION, name.length),
              ByteBuffer.wrap(name));
    }
  }

  /**
   * Moves {@code bytes}, and waits until the sink has read them all.
   *
   * @return how long that took, in nanoseconds
   * @throws IOException if the connection was lost
   */
  long send(long bytes) throws IOException, InterruptedException {
    CompletableFuture<Void> read = new CompletableFuture<>();
    long startNs = System.nanoTime();
    channel.eventLoop().execute(() -> writer.begin(channel, bytes, read));
    try {
      read.get();
    } catch (ExecutionException e) {
      throw new IOException("the sink is gone", e.getCause());
    }
    return System.nanoTime() - startNs;
  }

  @Override
  public void close() {
    channel.close().awaitUninterruptibly();
    group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  /** Writes while the channel is writable, and completes a transfer. All on the event loop. */
  private static final class Writer extends SimpleChannelInboundHandler<ByteBuf> {
    private final List<ByteBuffer> pieces = new ArrayList<>();
    private long left;
    private @Nullable CompletableFuture<Void> read;

    Writer() {
      for (int i = 0; i < BUFFERS; i++) {
        pieces.add(ByteBuffer.allocateDirect(RawSink.PIECE_BYTES));
      }
    }

    void begin(SocketChannel channel, long bytes, CompletableFuture<Void> whenRead) {
      read = whenRead;
      left = bytes;
      if (channel.isActive()) {
        write(channel, Unpooled.copyLong(bytes));
        writeAll(channel);
      } else {
        lost();
      }
    }

    private void writeAll(SocketChannel channel) {
      while (left > 0 && channel.isWritable()) {
        int count = (int) Math.min(left, RawSink.PIECE_BYTES);
        ByteBuffer piece = pieces.get((int) (left / RawSink.PIECE_BYTES % BUFFERS));
        write(channel, Unpooled.wrappedBuffer(piece.slice(0, count)));
        left -= count;
      }
      channel.flush();
    }

    private static void write(SocketChannel channel, ByteBuf bytes) {
      channel.write(bytes).addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
      writeAll((SocketChannel) context.channel());
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf answer) {
      if (read != null) {
        read.complete(null);
      }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      lost();
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // Closing is all that is left to do.
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      context.close();
    }

    private void lost() {
      if (read != null) {
        read.completeExceptionally(new IOException("the connection is closed"));
      }
    }
  }
}
