package io.drayage.baseline.grpc;

import io.drayage.baseline.grpc.proto.HaulGrpc;
import io.drayage.frame.ControlFrame;
import io.drayage.frame.Failure;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.memory.Lease;
import io.drayage.transport.ShipmentAcceptor;
import io.drayage.transport.ShipmentHandler;
import io.grpc.BindableService;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.nio.ByteBuffer;

/** The four calls, each answered with a frame: what is wrong is a frame as well, not a status. */
final class HaulService implements BindableService {
  private final HaulMethods methods;
  private final ShipmentAcceptor acceptor;
  private final InboundShipments shipments;

  HaulService(HaulMethods methods, ShipmentAcceptor acceptor, InboundShipments shipments) {
    this.methods = methods;
    this.acceptor = acceptor;
    this.shipments = shipments;
  }

  @Override
  public ServerServiceDefinition bindService() {
    return ServerServiceDefinition.builder(HaulGrpc.SERVICE_NAME)
        .addMethod(methods.open(), ServerCalls.asyncUnaryCall(this::open))
        .addMethod(methods.ship(), ServerCalls.asyncClientStreamingCall(this::ship))
        .addMethod(methods.commit(), ServerCalls.asyncUnaryCall(this::commit))
        .addMethod(methods.cancel(), ServerCalls.asyncUnaryCall(this::cancel))
        .build();
  }

  private void open(Lease request, StreamObserver<Lease> answer) {
    answer(answer, 0, () -> open(request));
  }

  private ByteBuffer open(Lease request) throws ShipmentException {
    ByteBuffer frame = Frames.checked(request.buffer(), FrameType.OPEN);
    ByteBuffer payload = FrameHeader.verify(frame);
    int wanted = ShipmentHeader.connections(payload);
    ShipmentHeader header = ShipmentHeader.ofPayload(payload);
    InboundShipment shipment = shipments.add();
    try {
      ShipmentHandler handler = acceptor.accept(header, shipment);
      // A pipeline that can go on over other connections can do with several.
      shipment.handleWith(handler, handler.isResumable() ? wanted : 1);
    } catch (ShipmentException | RuntimeException e) {
      shipments.remove(shipment);
      throw ShipmentException.of(e);
    }
    return shipment.acceptance().toFrame();
  }

  private StreamObserver<Lease> ship(StreamObserver<Lease> answer) {
    ServerCallStreamObserver<Lease> call = (ServerCallStreamObserver<Lease>) answer;
    call.disableAutoRequest();
    ShipCall frames = new ShipCall(call, shipments);
    call.setOnCancelHandler(frames::onGone);
    shipments.add(frames);
    call.request(1);
    return frames;
  }

  private void commit(Lease request, StreamObserver<Lease> answer) {
    ServerCallStreamObserver<Lease> call = (ServerCallStreamObserver<Lease>) answer;
    long id = 0;
    try {
      ByteBuffer frame = Frames.checked(request.buffer(), FrameType.HEARTBEAT);
      FrameHeader.verify(frame);
      id = FrameHeader.shipmentId(frame);
      InboundShipment shipment = shipments.get(id);
      call.setOnCancelHandler(
          () ->
              shipment.peerGone(
                  new ShipmentException(
                      Fault.PEER_GONE, "the worker's call was cut off during the commit")));
      shipment.commit(call);
    } catch (ShipmentException e) {
      fail(call, id, e);
    }
  }

  private void cancel(Lease request, StreamObserver<Lease> answer) {
    answer(answer, 0, () -> cancel(request));
  }

  private ByteBuffer cancel(Lease request) throws ShipmentException {
    ByteBuffer frame = Frames.checked(request.buffer(), FrameType.CANCEL);
    ShipmentException cause = Failure.ofPayload(FrameHeader.verify(frame));
    InboundShipment shipment = shipments.get(FrameHeader.shipmentId(frame));
    shipment.abort(cause);
    shipments.remove(shipment);
    return ControlFrame.heartbeat(shipment.shipmentId());
  }

  private static void answer(StreamObserver<Lease> call, long id, Reply reply) {
    try {
      ByteBuffer frame = reply.frame();
      call.onNext(Lease.ofHeap(frame));
      call.onCompleted();
    } catch (ShipmentException e) {
      fail(call, id, e);
    }
  }

  static void fail(StreamObserver<Lease> call, long id, ShipmentException cause) {
    call.onNext(Lease.ofHeap(Failure.toFrame(FrameType.FAILED, id, cause)));
    call.onCompleted();
  }

  private interface Reply {
    ByteBuffer frame() throws ShipmentException;
  }
}
