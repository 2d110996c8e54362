package io.drayage.transport.netty;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.Accepted;
import io.drayage.frame.Failure;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.Join;
import io.drayage.frame.Joined;
import io.drayage.frame.OpenRequest;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.testing.ShipmentHeaders;
import io.drayage.transport.TransportServer;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.UUID;

/** A worker of raw frames: a plain socket that sends whatever a test wants, right or wrong. */
final class RawPeer implements AutoCloseable {
  private static final int READ_TIMEOUT_MS = 40_000;

  private final Socket socket = new Socket();
  private final DataInputStream in;

  RawPeer(InetSocketAddress address) throws IOException {
    socket.connect(address);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(READ_TIMEOUT_MS);
    in = new DataInputStream(socket.getInputStream());
  }

  /** Returns a header for the segments pipeline with {@code raw} and {@code none}. */
  static ShipmentHeader header(UUID transactionId) {
    return ShipmentHeaders.of(transactionId, 0, ShipmentHeader.Pipeline.SEGMENTS, 2, 1, "raw peer");
  }

  Accepted open(UUID transactionId) throws IOException {
    return open(transactionId, OpenRequest.DEFAULT);
  }

  /** Requests a shipment, and reads the answer. */
  Accepted open(UUID transactionId, OpenRequest wanted) throws IOException {
    send(header(transactionId).toFrame(wanted));
    return accepted();
  }

  /** Checks whether a server accepts a shipment now. */
  static boolean opens(TransportServer server) {
    try (RawPeer probe = new RawPeer(server.address())) {
      probe.open(new UUID(7, 11));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  Accepted accepted() throws IOException {
    return Accepted.ofPayload(FrameHeader.verify(receive(FrameType.ACCEPT)));
  }

  /** Requests to join, and reads the answer. */
  Joined join(Accepted shipment, Join.Purpose purpose) throws IOException {
    askToJoin(shipment, purpose);
    return Joined.ofPayload(FrameHeader.verify(receive(FrameType.JOINED)));
  }

  void askToJoin(Accepted shipment, Join.Purpose purpose) throws IOException {
    send(new Join(shipment.token(), purpose).toFrame(shipment.shipmentId()));
  }

  /** Cancels a shipment. */
  void cancel(long shipmentId) throws IOException {
    ShipmentException why = new ShipmentException(Fault.CANCELLED, "changed my mind");
    send(Failure.toFrame(FrameType.CANCEL, shipmentId, why));
  }

  void send(ByteBuffer frame) throws IOException {
    byte[] bytes = new byte[frame.remaining()];
    frame.duplicate().get(bytes);
    send(bytes, 0, bytes.length);
  }

  void send(byte[] bytes, int offset, int length) throws IOException {
    socket.getOutputStream().write(bytes, offset, length);
    socket.getOutputStream().flush();
  }

  /** Reads the next frame of this type, and skips heartbeats and credit. */
  ByteBuffer receive(FrameType expected) throws IOException {
    while (true) {
      ByteBuffer frame = receive();
      FrameType type = FrameHeader.type(frame);
      if (type == expected) {
        return frame;
      }
      if (type != FrameType.HEARTBEAT && type != FrameType.CREDIT) {
        String why = type == FrameType.FAILED ? ": " + failure(frame).getMessage() : "";
        throw new IOException("a %s frame came, not %s%s".formatted(type, expected, why));
      }
    }
  }

  /** Reads the failure that the transactor sends. */
  ShipmentException receiveFailure() throws IOException {
    return failure(receive(FrameType.FAILED));
  }

  private static ShipmentException failure(ByteBuffer frame) throws IOException {
    return Failure.ofPayload(FrameHeader.verify(frame));
  }

  /** Reads the next frame. */
  ByteBuffer receive() throws IOException {
    byte[] header = in.readNBytes(FrameHeader.BYTES);
    if (header.length < FrameHeader.BYTES) {
      throw new EOFException(format("the connection ended after %d bytes", header.length));
    }
    int payload =
        FrameHeader.payloadBytes(ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN), 0);
    ByteBuffer frame = ByteBuffer.allocate(FrameHeader.BYTES + payload);
    frame.put(header).put(in.readNBytes(payload));
    return frame.flip().order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Closes the output. */
  void endOutput() throws IOException {
    socket.shutdownOutput();
  }

  /** Waits for the end of the stream; false if the transactor does not close the connection. */
  boolean isClosedByPeer() {
    try {
      socket.getInputStream().transferTo(OutputStream.nullOutputStream());
      return true;
    } catch (SocketTimeoutException open) {
      return false;
    } catch (IOException reset) {
      return true;
    }
  }

  /** Closes without a frame and with a reset, like a process that dies. */
  void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
