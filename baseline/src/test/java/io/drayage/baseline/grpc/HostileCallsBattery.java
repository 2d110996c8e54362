package io.drayage.baseline.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import com.google.protobuf.BytesValue;
import io.drayage.frame.Accepted;
import io.drayage.frame.ControlFrame;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameType;
import io.drayage.frame.Join;
import io.drayage.frame.OpenRequest;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.frame.Token;
import io.drayage.memory.Lease;
import io.drayage.testing.ShipmentHeaders;
import io.drayage.transport.ShipmentHandler;
import io.drayage.transport.Transport;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Calls that our client never makes, in messages made by protobuf. */
abstract class HostileCallsBattery {
  private static final Marshaller<BytesValue> PROTOBUF =
      ProtoUtils.marshaller(BytesValue.getDefaultInstance());
  private static final HaulMethods<BytesValue> HAUL = HaulMethods.of(PROTOBUF, PROTOBUF);

  private final CompletableFuture<ShipmentException> aborted = new CompletableFuture<>();
  private volatile boolean inAnyOrder;
  private TransportServer server;
  private ManagedChannel channel;

  /** The transport under attack. */
  abstract Transport transport();

  @BeforeEach
  void start() throws BindException {
    start(Duration.ofSeconds(1)); // Even a paused machine is not silent so long.
  }

  private void start(Duration idleTimeout) throws BindException {
    server =
        transport()
            .listen(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                (header, replies) -> new ClosingHandler(),
                TransportOptions.builder().idleTimeout(idleTimeout).build());
    channel = NettyChannelBuilder.forAddress(server.address()).usePlaintext().build();
  }

  @AfterEach
  void stop() throws InterruptedException {
    channel.shutdownNow();
    server.close();
    assertThat(channel.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
  }

  /** Restarts with short timeouts, for tests in which nothing must arrive in time. */
  private void restartImpatient() throws Exception {
    stop();
    start(Duration.ofMillis(200));
  }

  @Test
  void requestThatIsNoFrameIsAnsweredByName() throws ShipmentException {
    BytesValue garbage = BytesValue.newBuilder().setValue(ByteString.copyFromUtf8("hello")).build();

    assertThat(failure(answer(HAUL.open(), garbage)).fault()).isEqualTo(Fault.BAD_FRAME);
  }

  @Test
  void requestOfAnotherTypeIsAnsweredByName() throws ShipmentException {
    BytesValue heartbeat = message(ControlFrame.heartbeat(1));

    assertThat(failure(answer(HAUL.open(), heartbeat)))
        .hasMessageContaining("HEARTBEAT frame where OPEN belongs");
  }

  @Test
  void framesOfAnUnknownShipmentAreRefused() throws Exception {
    assertThat(failure(ship(ControlFrame.heartbeat(77)).get()))
        .hasMessageContaining("shipment 77 is not open here");
  }

  @Test
  void secondCallForOneShipmentIsRefused() throws Exception {
    long id = open();
    CompletableFuture<BytesValue> one = ship(ControlFrame.heartbeat(id));
    CompletableFuture<BytesValue> other = ship(ControlFrame.heartbeat(id));

    // The first one ships, until the idle timeout ends it.
    assertThat(List.of(failure(one.get()).fault(), failure(other.get()).fault()))
        .containsExactlyInAnyOrder(Fault.PROTOCOL_VIOLATION, Fault.PEER_SILENT);
  }

  @Test
  void callThatJoinsWithTheWrongTokenIsRefused() throws Exception {
    long id = open();
    ByteBuffer join = new Join(new Token(1, 2), Join.Purpose.STRIPE).toFrame(id);

    assertThat(failure(ship(join).get()))
        .hasMessageContaining("the token is not that of shipment " + id);
  }

  @Test
  void callThatNamesNoShipmentEndsWithTheIdleTimeout() throws Exception {
    restartImpatient();
    assertThat(failure(ship().get()).fault()).isEqualTo(Fault.PEER_SILENT);
  }

  @Test
  void shipmentWithoutFramesEndsWithTheIdleTimeout() throws Exception {
    restartImpatient();
    open();

    assertThat(aborted.get().fault()).isEqualTo(Fault.PEER_SILENT);
  }

  @Test
  void framesThatOvertakeAFirstOneThatNeverComesEndWithTheIdleTimeout() throws Exception {
    inAnyOrder = true;
    Accepted accepted = request(2);
    long id = accepted.shipmentId();

    ByteBuffer join = new Join(accepted.token(), Join.Purpose.STRIPE).toFrame(id);
    CompletableFuture<BytesValue> answer = ship(join, frame(FrameType.SEGMENT, id));

    assertThat(failure(answer.get()).fault()).isEqualTo(Fault.PEER_SILENT);
    assertThat(aborted.get().fault()).isEqualTo(Fault.PEER_SILENT);
  }

  @Test
  void sealWithoutItsSegmentsEndsWithTheIdleTimeout() throws Exception {
    inAnyOrder = true;
    long id = open();

    CompletableFuture<BytesValue> answer =
        ship(ControlFrame.heartbeat(id), new Seal(1, 2).toFrame(FrameType.SEAL, id));

    assertThat(failure(answer.get())).hasMessageContaining("missing segments did not arrive");
    assertThat(aborted.get().fault()).isEqualTo(Fault.SEGMENT_MISSING);
  }

  @Test
  void commitOfWhatIsNotHeldIsRefused() throws ShipmentException {
    BytesValue request = message(ControlFrame.heartbeat(open()));

    assertThat(failure(answer(HAUL.commit(), request))).hasMessageContaining("is not held yet");
  }

  @Test
  void messageBeyondTheLimitIsRefusedByGrpc() {
    BytesValue large =
        BytesValue.newBuilder()
            .setValue(ByteString.copyFrom(new byte[Frames.MAX_MESSAGE_BYTES]))
            .build();

    assertThatThrownBy(() -> answer(HAUL.open(), large))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED));
  }

  @Test
  void moreShipmentsThanTheLimitAreRefused() throws ShipmentException {
    HaulService service =
        new HaulService(
            new Published().methods(),
            (header, replies) -> new ClosingHandler(),
            TransportOptions.DEFAULT);
    for (int i = 0; i < HaulService.MAX_SHIPMENTS; i++) {
      service.add();
    }

    assertThatThrownBy(service::add).hasMessageContaining("1,024 open shipments already");
  }

  private long open() throws ShipmentException {
    return request(1).shipmentId();
  }

  private Accepted request(int connections) throws ShipmentException {
    ShipmentHeader header =
        ShipmentHeaders.of(new UUID(1, 2), 3, ShipmentHeader.Pipeline.STREAM, 1, 1, "raw");
    BytesValue answer =
        answer(HAUL.open(), message(header.toFrame(new OpenRequest(connections, 0, 0))));
    return Accepted.ofPayload(Frames.payload(Published.frame(answer), FrameType.ACCEPT));
  }

  /** Makes a frame of a few bytes, of which only the header is read. */
  private static ByteBuffer frame(FrameType type, long id) {
    return new Seal(0, 0).toFrame(type, id);
  }

  /** Starts a call, with some frames or none, and leaves it open. */
  private CompletableFuture<BytesValue> ship(ByteBuffer... firstFrames) {
    CompletableFuture<BytesValue> result = new CompletableFuture<>();
    StreamObserver<BytesValue> frames =
        ClientCalls.asyncClientStreamingCall(
            channel.newCall(HAUL.ship(), CallOptions.DEFAULT),
            new StreamObserver<>() {
              @Override
              public void onNext(BytesValue answer) {
                result.complete(answer);
              }

              @Override
              public void onError(Throwable cause) {
                result.completeExceptionally(cause);
              }

              @Override
              public void onCompleted() {}
            });
    for (ByteBuffer frame : firstFrames) {
      frames.onNext(message(frame));
    }
    return result;
  }

  private BytesValue answer(MethodDescriptor<BytesValue, BytesValue> method, BytesValue request) {
    return ClientCalls.blockingUnaryCall(channel, method, CallOptions.DEFAULT, request);
  }

  private static BytesValue message(ByteBuffer frame) {
    return BytesValue.newBuilder().setValue(ByteString.copyFrom(frame.duplicate())).build();
  }

  private static ShipmentException failure(BytesValue answer) {
    return catchThrowableOfType(
        ShipmentException.class,
        () -> Frames.payload(Published.frame(answer), FrameType.HEARTBEAT));
  }

  private final class ClosingHandler implements ShipmentHandler {
    @Override
    public void onFrame(Lease frame) {
      frame.close();
    }

    @Override
    public boolean onAborted(ShipmentException cause) {
      aborted.complete(cause);
      return true;
    }

    @Override
    public boolean isResumable() {
      return inAnyOrder;
    }
  }
}
