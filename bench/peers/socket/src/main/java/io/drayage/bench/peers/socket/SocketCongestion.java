package io.drayage.bench.peers.socket;

import io.netty.channel.ChannelException;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.unix.Socket;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/**
 * TCP's congestion control of a connection of the JDK, which has no option for it. Netty's native
 * library sets it in the kernel, by the descriptor of the connection's socket. Needs Linux, and
 * {@code --add-exports=java.base/sun.nio.ch=ALL-UNNAMED}.
 */
final class SocketCongestion {
  /** Protocol number of TCP on Linux. */
  private static final int IPPROTO_TCP = 6;

  private static final int TCP_CONGESTION = 13;

  /** The kernel's TCP_CA_NAME_MAX. */
  private static final int MAX_NAME_BYTES = 16;

  private SocketCongestion() {}

  /**
   * Sets {@code algorithm}, as the kernel names it. If that fails, the connection keeps the
   * kernel's default, and a warning is logged.
   */
  static void use(String algorithm, SocketChannel channel) {
    try {
      socket(channel)
          .setRawOpt(
              IPPROTO_TCP,
              TCP_CONGESTION,
              ByteBuffer.wrap(algorithm.getBytes(StandardCharsets.US_ASCII)));
    } catch (IOException | ChannelException | UnsupportedOperationException e) {
      System.getLogger(SocketCongestion.class.getName())
          .log(Level.WARNING, "congestion control is not set to {0}: {1}", algorithm, e.toString());
    }
  }

  /**
   * Returns the algorithm of a connection.
   *
   * @throws UnsupportedOperationException if it cannot be read here
   */
  static String of(SocketChannel channel) throws IOException {
    ByteBuffer name = ByteBuffer.allocate(MAX_NAME_BYTES);
    socket(channel).getRawOpt(IPPROTO_TCP, TCP_CONGESTION, name);
    return new String(name.array(), StandardCharsets.US_ASCII).split("\0", 2)[0];
  }

  /** Returns another view of the socket, which the channel still owns. */
  private static Socket socket(SocketChannel channel) {
    if (!Epoll.isAvailable()) {
      throw new UnsupportedOperationException(
          "no native library of Netty here", Epoll.unavailabilityCause());
    }
    try {
      Object number = Class.forName("sun.nio.ch.SelChImpl").getMethod("getFDVal").invoke(channel);
      return new Socket((Integer) number);
    } catch (ReflectiveOperationException e) {
      throw new UnsupportedOperationException("the JDK does not expose the socket's descriptor", e);
    }
  }
}
