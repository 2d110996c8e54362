package io.drayage.transport.netty;

import io.drayage.frame.ControlFrame;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameType;
import io.drayage.frame.ShipmentException;
import io.drayage.transport.TransportOptions;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/**
 * The other end of a {@link RawSource}: reads frames as the transport does, and drops them. A
 * yardstick for the transport, not a part of it: no shipment, no credit, no checksum. Thread-safe.
 */
public final class RawSink implements AutoCloseable {
  private final EventLoopGroup group;
  private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
  private final ServerChannel listening;

  private RawSink(EventLoopGroup group, NativeIo io, InetSocketAddress address)
      throws ShipmentException {
    this.group = group;
    ChannelFuture bound =
        new ServerBootstrap()
            .group(group)
            .channel(io.serverChannel())
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    receive(channel);
                  }
                })
            .bind(address)
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      throw new ShipmentException(
          Fault.INTERNAL,
          "cannot listen at %s: %s".formatted(address, bound.cause().getMessage()),
          bound.cause());
    }
    this.listening = (ServerChannel) bound.channel();
  }

  /**
   * Listens at {@code address}.
   *
   * @throws ShipmentException if it cannot be bound
   */
  public static RawSink listen(NativeIo io, InetSocketAddress address) throws ShipmentException {
    EventLoopGroup group = io.newGroup(1, "raw-sink");
    try {
      return new RawSink(group, io, address);
    } catch (ShipmentException e) {
      group.shutdownGracefully().awaitUninterruptibly();
      throw e;
    }
  }

  private final FrameBuffers buffers =
      new FrameBuffers(TransportOptions.DEFAULT.shipmentCreditBytes());

  private void receive(SocketChannel channel) {
    connections.add(channel);
    FrameReceiver frames = new FrameReceiver(new Dropping(channel), buffers);
    Channels.prepare(channel, frames, new ChannelInboundHandlerAdapter(), TransportOptions.DEFAULT);
  }

  /** The address that it listens at. */
  public InetSocketAddress address() {
    return (InetSocketAddress) listening.localAddress();
  }

  @Override
  public void close() {
    listening.close().awaitUninterruptibly();
    connections.close().awaitUninterruptibly();
    Channels.shutDown(group, connections);
  }

  /** Drops every frame, and answers a seal. */
  private record Dropping(SocketChannel channel) implements FrameListener {
    @Override
    public void beforeFrame(FrameType type, int frameBytes) {}

    @Override
    public void onFrame(FrameType type, ByteBuffer frame, Runnable recycle) {
      recycle.run();
      if (type == FrameType.SEAL) {
        Channels.write(channel, ControlFrame.committed(0, 0));
      }
    }

    @Override
    public void onBadFrame(ShipmentException cause) {
      Channels.close(channel);
    }
  }
}
