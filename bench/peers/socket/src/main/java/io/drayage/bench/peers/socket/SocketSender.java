package io.drayage.bench.peers.socket;

import io.drayage.bench.peer.PeerReport;
import io.drayage.bench.peer.PeerSender;
import io.drayage.cargo.ChangeCargo;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.metrics.Stage;
import io.drayage.metrics.StageThreads;
import io.drayage.transport.TransportOptions;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;

/** Writes cargoes to one connection, which stays open. */
final class SocketSender implements PeerSender {
  private final SocketCodec codec;
  private final DrayageMetrics metrics;
  private final SocketChannel channel;
  private final InputStream in;
  private final OutputStream out;

  SocketSender(SocketCodec codec, InetSocketAddress transactor, DrayageMetrics metrics)
      throws IOException {
    this.codec = codec;
    this.metrics = metrics;
    this.channel = SocketChannel.open();
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    // As in our transports: over loopback an algorithm without pacing, else the kernel's.
    String algorithm = TransportOptions.congestionControlTo(transactor);
    if (algorithm != null) {
      SocketCongestion.use(algorithm, channel);
    }
    channel.connect(transactor);
    this.in = Channels.newInputStream(channel);
    this.out = Channels.newOutputStream(channel);
  }

  /** Returns the connection's congestion control, as the kernel names it. */
  String congestionControl() throws IOException {
    return SocketCongestion.of(channel);
  }

  @Override
  public PeerReport send(ChangeCargo cargo) throws IOException {
    StageThreads.Period encoding = metrics.threads().begin(Stage.ENCODE);
    PieceOutputStream pieces = new PieceOutputStream(out);
    codec.write(cargo, pieces);
    pieces.close();
    encoding.end();
    long serializedNs = System.nanoTime();
    long number = new DataInputStream(in).readLong();
    return new PeerReport(number, pieces.wireBytes(), pieces.pieces(), serializedNs);
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
