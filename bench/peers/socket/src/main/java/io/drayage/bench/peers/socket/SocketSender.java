package io.drayage.bench.peers.socket;

import io.drayage.bench.peer.PeerReport;
import io.drayage.bench.peer.PeerSender;
import io.drayage.cargo.ChangeCargo;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.metrics.Stage;
import io.drayage.metrics.StageThreads;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;

/** Writes cargoes to one connection, which it keeps. */
final class SocketSender implements PeerSender {
  private final StreamCodec codec;
  private final DrayageMetrics metrics;
  private final Socket socket;

  SocketSender(StreamCodec codec, InetSocketAddress transactor, DrayageMetrics metrics)
      throws IOException {
    this.codec = codec;
    this.metrics = metrics;
    this.socket = new Socket();
    socket.setTcpNoDelay(true);
    socket.connect(transactor);
  }

  @Override
  public PeerReport send(ChangeCargo cargo) throws IOException {
    StageThreads.Period encoding = metrics.threads().begin(Stage.ENCODE);
    PieceOutputStream pieces = new PieceOutputStream(socket.getOutputStream());
    codec.write(cargo, pieces);
    pieces.close();
    encoding.end();
    long serializedNs = System.nanoTime();
    long number = new DataInputStream(socket.getInputStream()).readLong();
    return new PeerReport(number, pieces.wireBytes(), pieces.pieces(), serializedNs);
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
