package io.drayage.bench.peers.socket;

import io.drayage.bench.peer.PeerReceiver;
import io.drayage.bench.peer.ReceivedCargoes;
import io.drayage.cargo.ChangeCargo;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.metrics.Stage;
import io.drayage.metrics.StageThreads;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PushbackInputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Reads cargoes, one after the other on each connection, by one thread for each connection. */
final class SocketReceiver implements PeerReceiver {
  private final SocketCodec codec;
  private final ReceivedCargoes received;
  private final DrayageMetrics metrics;
  private final ServerSocket server;

  SocketReceiver(
      SocketCodec codec,
      InetSocketAddress address,
      ReceivedCargoes received,
      DrayageMetrics metrics)
      throws IOException {
    this.codec = codec;
    this.received = received;
    this.metrics = metrics;
    this.server = new ServerSocket();
    server.bind(address);
    start("peer-accept", this::acceptAll);
  }

  private static void start(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
  }

  private void acceptAll() {
    try {
      while (!server.isClosed()) {
        Socket socket = server.accept();
        start("peer-receive", () -> receiveAll(socket));
      }
    } catch (IOException e) {
      if (!server.isClosed()) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private void receiveAll(Socket socket) {
    try (socket) {
      socket.setTcpNoDelay(true);
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      PushbackInputStream in = new PushbackInputStream(socket.getInputStream());
      for (int first = in.read(); first >= 0; first = in.read()) {
        in.unread(first);
        out.writeLong(received.add(receive(in)));
      }
    } catch (IOException e) {
      // The worker sees the end of its connection; the log shows this exception.
      throw new UncheckedIOException(e);
    }
  }

  private ChangeCargo receive(PushbackInputStream in) throws IOException {
    StageThreads.Period decoding = metrics.threads().begin(Stage.DECODE);
    PieceInputStream pieces = new PieceInputStream(new DataInputStream(in));
    ChangeCargo cargo = codec.read(pieces);
    // After the last value follow the end of Zstandard's frame and of the stream.
    pieces.transferTo(OutputStream.nullOutputStream());
    decoding.end();
    return cargo;
  }

  @Override
  public InetSocketAddress address() {
    return (InetSocketAddress) server.getLocalSocketAddress();
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
