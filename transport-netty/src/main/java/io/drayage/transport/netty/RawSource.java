package io.drayage.transport.netty;

import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.transport.TransportOptions;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Moves bytes to a {@link RawSink} as fast as the transport's connection can: frames of 1 MiB,
 * written again and again from a few buffers, one flush for as many as the socket takes, nothing
 * encoded. What this takes, no shipment of as many bytes over one connection can undercut. For one
 * thread.
 */
public final class RawSource implements AutoCloseable {
  /** Payload bytes of a frame. */
  public static final int FRAME_PAYLOAD_BYTES = 1 << 20;

  /** As many as the transport's leases come to in the usual setting. */
  private static final int BUFFERS = 8;

  private final EventLoopGroup group;
  private final SocketChannel channel;
  private final Writer writer = new Writer();

  private RawSource(EventLoopGroup group, NativeIo io, InetSocketAddress sink)
      throws ShipmentException, InterruptedException {
    this.group = group;
    ChannelFuture connected =
        new Bootstrap()
            .group(group)
            .channel(io.socketChannel())
            .handler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel fresh) {
                    FrameReceiver answers = new FrameReceiver(writer, new FrameBuffers(0));
                    Channels.prepare(fresh, answers, writer, TransportOptions.DEFAULT);
                  }
                })
            .connect(sink)
            .await();
    if (!connected.isSuccess()) {
      throw new ShipmentException(
          Fault.PEER_GONE,
          "cannot connect to %s: %s".formatted(sink, connected.cause().getMessage()),
          connected.cause());
    }
    this.channel = (SocketChannel) connected.channel();
  }

  /**
   * Connects to a sink.
   *
   * @throws ShipmentException if nobody listens there
   */
  public static RawSource connect(NativeIo io, InetSocketAddress sink)
      throws ShipmentException, InterruptedException {
    EventLoopGroup group = io.newGroup(1, "raw-source");
    boolean connected = false;
    try {
      RawSource source = new RawSource(group, io, sink);
      connected = true;
      return source;
    } finally {
      if (!connected) {
        group.shutdownGracefully().awaitUninterruptibly();
      }
    }
  }

  /**
   * Moves {@code bytes}, rounded up to whole frames, and waits until the sink has read them all.
   *
   * @return how long that took, in nanoseconds
   * @throws ShipmentException if the connection was lost
   */
  public long send(long bytes) throws ShipmentException, InterruptedException {
    CompletableFuture<Void> read = new CompletableFuture<>();
    long frames = (bytes + FRAME_PAYLOAD_BYTES - 1) / FRAME_PAYLOAD_BYTES;
    long startNs = System.nanoTime();
    channel.eventLoop().execute(() -> writer.begin(channel, frames, read));
    try {
      read.get();
    } catch (ExecutionException e) {
      throw ShipmentException.of(e.getCause());
    }
    return System.nanoTime() - startNs;
  }

  @Override
  public void close() {
    channel.close().awaitUninterruptibly();
    Channels.shutDown(group, List.of(channel));
  }

  /** Writes while there is room, and hears the answer. All on the event loop. */
  private static final class Writer extends ChannelInboundHandlerAdapter implements FrameListener {
    private final List<ByteBuffer> frames = new ArrayList<>();
    private long left;
    private boolean sealed = true;
    private @Nullable CompletableFuture<Void> read;

    Writer() {
      for (int i = 0; i < BUFFERS; i++) {
        ByteBuffer frame = ByteBuffer.allocateDirect(FrameHeader.BYTES + FRAME_PAYLOAD_BYTES);
        FrameHeader.write(frame, FrameType.SEGMENT, 0);
        frames.add(frame);
      }
    }

    void begin(SocketChannel channel, long count, CompletableFuture<Void> whenRead) {
      left = count;
      sealed = false;
      read = whenRead;
      if (channel.isActive()) {
        write(channel);
      } else {
        lost();
      }
    }

    private void write(Channel channel) {
      while (left > 0 && channel.isWritable()) {
        ByteBuffer frame = frames.get((int) (left % BUFFERS));
        write(channel, frame);
        left--;
      }
      if (left == 0 && !sealed) {
        sealed = true;
        ByteBuffer seal = new Seal(0, 0).toFrame(FrameType.SEAL, 0);
        write(channel, seal);
      }
      channel.flush();
    }

    private static void write(Channel channel, ByteBuffer frame) {
      channel
          .write(Unpooled.wrappedBuffer(frame))
          .addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
      if (context.channel().isWritable()) {
        write(context.channel());
      }
    }

    @Override
    public void beforeFrame(FrameType type, int frameBytes) {}

    @Override
    public void onFrame(FrameType type, ByteBuffer frame, Runnable recycle) {
      recycle.run();
      CompletableFuture<Void> whenRead = read;
      if (type == FrameType.COMMITTED && whenRead != null) {
        whenRead.complete(null);
      }
    }

    @Override
    public void onBadFrame(ShipmentException cause) {
      lost();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      lost();
    }

    private void lost() {
      CompletableFuture<Void> whenRead = read;
      if (whenRead != null) {
        whenRead.completeExceptionally(new ShipmentException(Fault.PEER_GONE, "the sink is gone"));
      }
    }
  }
}
