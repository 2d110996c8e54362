package io.drayage.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.transport.TransportOptions;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.unix.RawUnixChannelOption;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;

@Timeout(180)
@EnabledIf("io.drayage.transport.netty.NettyTransportTest#hasEpoll")
class CongestionControlTest {
  private static final int MAX_NAME_BYTES = 16;

  private EventLoopGroup group;
  private Channel server;

  @BeforeEach
  void listen() {
    group = NativeIo.EPOLL.newGroup(1, "congestion-test");
    server =
        new ServerBootstrap()
            .group(group)
            .channel(NativeIo.EPOLL.serverChannel())
            .childHandler(new ChannelInboundHandlerAdapter())
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .syncUninterruptibly()
            .channel();
  }

  @AfterEach
  void shutDown() {
    group.shutdownGracefully(0, 1, java.util.concurrent.TimeUnit.SECONDS).syncUninterruptibly();
  }

  private Channel connect() {
    Channel channel =
        new Bootstrap()
            .group(group)
            .channel(NativeIo.EPOLL.socketChannel())
            .handler(new CongestionControl())
            .connect(server.localAddress())
            .syncUninterruptibly()
            .channel();
    // The handler is in its final state once the loop has run every earlier task.
    channel.eventLoop().submit(() -> {}).syncUninterruptibly();
    return channel;
  }

  private static String algorithmOf(Channel channel) {
    ByteBuffer name =
        channel
            .config()
            .getOption(new RawUnixChannelOption("TCP_CONGESTION", 6, 13, MAX_NAME_BYTES));
    return Unpooled.wrappedBuffer(name.rewind())
        .toString(StandardCharsets.US_ASCII)
        .replace("\0", "");
  }

  @Test
  void doesNotPaceOverLoopback() {
    assertThat(algorithmOf(connect())).isEqualTo(TransportOptions.UNPACED_CONGESTION_CONTROL);
  }
}
