package io.drayage.bench.peers.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.drayage.bench.peer.PeerCodec;
import io.drayage.bench.peer.ReceivedCargoes;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.transport.TransportOptions;
import io.netty.channel.epoll.Epoll;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
final class SocketCongestionTest {
  private static final PeerCodec CODEC = new PeerCodec("kryo-tuned", "none", null);

  @Test
  void doesNotPaceOverLoopback() throws Exception {
    assumeTrue(Epoll.isAvailable(), "no native library of Netty here");
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    SocketCodec codec = SocketCodec.of(CODEC);
    ReceivedCargoes received = new ReceivedCargoes(() -> {});
    try (SocketReceiver receiver = new SocketReceiver(codec, any, received, new DrayageMetrics());
        SocketSender sender = new SocketSender(codec, receiver.address(), new DrayageMetrics())) {
      assertThat(sender.congestionControl()).isEqualTo(TransportOptions.UNPACED_CONGESTION_CONTROL);
    }
  }

  @Test
  void keepsWhatTheKernelHasIfItHasNoSuchAlgorithm() throws Exception {
    assumeTrue(Epoll.isAvailable(), "no native library of Netty here");
    try (SocketChannel channel = SocketChannel.open()) {
      String before = SocketCongestion.of(channel);
      SocketCongestion.use("none-of-these", channel);
      assertThat(SocketCongestion.of(channel)).isEqualTo(before).isNotEmpty();
    }
  }
}
