package io.drayage.transport.netty;

import static io.drayage.testing.Refusals.assertFault;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.ColumnValues;
import io.drayage.codec.pool.CodecPool;
import io.drayage.frame.Accepted;
import io.drayage.frame.ControlFrame;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameType;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.StoreShare;
import io.drayage.send.SegmentsSender;
import io.drayage.testing.CargoBytes;
import io.drayage.transport.Shipment;
import io.drayage.transport.TransportClient;
import io.drayage.transport.TransportOptions;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Wrong answers of a transactor: the worker gets a named error, and does not hang. */
@Timeout(180)
class HostileTransactorTest {
  private static final long ID = 5;
  private static final ByteBuffer ACCEPTED =
      Accepted.ofSingleConnection(ID, 8 << 20, StoreShare.UNKNOWN).toFrame();

  private ServerSocket listening;

  @BeforeEach
  void listen() throws IOException {
    listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void stop() throws IOException {
    listening.close();
    DirectMemory.assertAllReleased();
  }

  /** Answers one request with these frames, and then drops all input. */
  private Thread answerWith(List<ByteBuffer> frames) {
    Thread thread =
        new Thread(
            () -> {
              try (Socket socket = listening.accept()) {
                for (ByteBuffer frame : frames) {
                  byte[] bytes = new byte[frame.remaining()];
                  frame.duplicate().get(bytes);
                  socket.getOutputStream().write(bytes);
                }
                socket.getInputStream().transferTo(OutputStream.nullOutputStream());
              } catch (IOException e) {
                // The worker closed the connection, as it should.
              }
            });
    thread.start();
    return thread;
  }

  static Stream<Arguments> wrongAnswers() {
    ByteBuffer accepted = Accepted.ofSingleConnection(ID, 1_000, StoreShare.UNKNOWN).toFrame();
    ByteBuffer early = ControlFrame.committed(ID, 1);
    ByteBuffer other = new Seal(1, 2).toFrame(FrameType.HELD, ID);
    ByteBuffer negative = ControlFrame.credit(ID, -1);
    ByteBuffer surplus = ControlFrame.credit(ID, (8 << 20) + 1);
    return Stream.of(
        Arguments.of(Fault.LIMIT, "grants 1,000 bytes", List.of(accepted)),
        Arguments.of(Fault.LIMIT, "grants -1 bytes", List.of(ACCEPTED, negative)),
        Arguments.of(Fault.LIMIT, "grants 8,388,609 bytes", List.of(ACCEPTED, surplus)),
        Arguments.of(Fault.DIGEST, "the frames have", List.of(ACCEPTED, other)),
        Arguments.of(
            Fault.PROTOCOL_VIOLATION, "COMMITTED frame at a wrong time", List.of(ACCEPTED, early)));
  }

  @ParameterizedTest
  @MethodSource("wrongAnswers")
  void refusesByName(Fault fault, String message, List<ByteBuffer> frames) throws Exception {
    Thread transactor = answerWith(frames);
    try (CodecPool pool = new CodecPool(1, "encode");
        SegmentsSender sender =
            CargoBytes.sender(
                NettyTransport.best().client(address(), TransportOptions.DEFAULT), pool)) {
      assertFault(fault, () -> sender.send(CargoBytes.cargoOf(ColumnValues.of(new int[1][3]))))
          .hasMessageContaining(message);
    }
    transactor.join();
  }

  private InetSocketAddress address() {
    return new InetSocketAddress(listening.getInetAddress(), listening.getLocalPort());
  }

  @Test
  void refusesSecondHeld() throws Exception {
    ByteBuffer held = new Seal(1, 2).toFrame(FrameType.HELD, ID);
    Thread transactor = answerWith(List.of(ACCEPTED, held, held));
    try (TransportClient client =
            NettyTransport.best().client(address(), TransportOptions.DEFAULT);
        Shipment shipment = client.open(RawPeer.header(new UUID(1, 1)))) {
      assertThatThrownBy(() -> shipment.committed().get())
          .hasCauseInstanceOf(ShipmentException.class)
          .hasMessageContaining("HELD frame at a wrong time");
    }
    transactor.join();
  }
}
