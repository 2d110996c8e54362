package io.drayage.transport.grpc;

import io.drayage.frame.Accepted;
import io.drayage.frame.ControlFrame;
import io.drayage.frame.Failure;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.transport.ShipmentAcceptor;
import io.drayage.transport.grpc.proto.FrameMessage;
import io.drayage.transport.grpc.proto.HaulGrpc;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.nio.ByteBuffer;

/** The four calls, each answered with a frame: what is wrong is a frame as well, not a status. */
final class HaulService extends HaulGrpc.HaulImplBase {
  private final ShipmentAcceptor acceptor;
  private final InboundShipments shipments;

  HaulService(ShipmentAcceptor acceptor, InboundShipments shipments) {
    this.acceptor = acceptor;
    this.shipments = shipments;
  }

  @Override
  public void open(FrameMessage request, StreamObserver<FrameMessage> answer) {
    answer(answer, 0, () -> open(request));
  }

  private ByteBuffer open(FrameMessage request) throws ShipmentException {
    ByteBuffer frame = FrameMessages.checkedFrame(request, FrameType.OPEN);
    ShipmentHeader header = ShipmentHeader.ofPayload(FrameHeader.verify(frame));
    InboundShipment shipment = shipments.add();
    try {
      shipment.handleWith(acceptor.accept(header, shipment));
    } catch (ShipmentException | RuntimeException e) {
      shipments.remove(shipment);
      throw ShipmentException.of(e);
    }
    return Accepted.ofSingleConnection(shipment.shipmentId(), shipments.shareBytes()).toFrame();
  }

  @Override
  public StreamObserver<FrameMessage> ship(StreamObserver<FrameMessage> answer) {
    ServerCallStreamObserver<FrameMessage> call = (ServerCallStreamObserver<FrameMessage>) answer;
    call.disableAutoRequest();
    ShipCall frames = new ShipCall(call, shipments);
    call.setOnCancelHandler(frames::onGone);
    shipments.add(frames);
    call.request(1);
    return frames;
  }

  @Override
  public void commit(FrameMessage request, StreamObserver<FrameMessage> answer) {
    ServerCallStreamObserver<FrameMessage> call = (ServerCallStreamObserver<FrameMessage>) answer;
    long id = 0;
    try {
      ByteBuffer frame = FrameMessages.checkedFrame(request, FrameType.HEARTBEAT);
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

  @Override
  public void cancel(FrameMessage request, StreamObserver<FrameMessage> answer) {
    answer(answer, 0, () -> cancel(request));
  }

  private ByteBuffer cancel(FrameMessage request) throws ShipmentException {
    ByteBuffer frame = FrameMessages.checkedFrame(request, FrameType.CANCEL);
    ShipmentException cause = Failure.ofPayload(FrameHeader.verify(frame));
    InboundShipment shipment = shipments.get(FrameHeader.shipmentId(frame));
    shipment.abort(cause);
    shipments.remove(shipment);
    return ControlFrame.heartbeat(shipment.shipmentId());
  }

  private static void answer(StreamObserver<FrameMessage> call, long id, Answer answer) {
    try {
      ByteBuffer frame = answer.frame();
      call.onNext(FrameMessages.of(frame));
      call.onCompleted();
    } catch (ShipmentException e) {
      fail(call, id, e);
    }
  }

  static void fail(StreamObserver<FrameMessage> call, long id, ShipmentException cause) {
    call.onNext(FrameMessages.of(Failure.toFrame(FrameType.FAILED, id, cause)));
    call.onCompleted();
  }

  private interface Answer {
    ByteBuffer frame() throws ShipmentException;
  }
}
