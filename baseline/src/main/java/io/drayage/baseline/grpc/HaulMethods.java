package io.drayage.baseline.grpc;

import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.MethodDescriptor.MethodType;

/**
 * The four methods of the service {@code drayage.v1.Haul}. Each message is protobuf's {@code
 * BytesValue} with one frame, whichever marshaller makes and reads it: gRPC only carries frames.
 *
 * @param open {@code OPEN}, answered by {@code ACCEPT} or {@code FAILED}
 * @param ship a {@code HEARTBEAT} that names the shipment, then its frames, answered by {@code
 *     HELD} or {@code FAILED}
 * @param commit a {@code HEARTBEAT} that names the shipment, answered by {@code COMMITTED} or
 *     {@code FAILED} when the outcome is known
 * @param cancel {@code CANCEL}, outside the stream of frames, so that it arrives although the
 *     stream is stalled; answered by {@code HEARTBEAT}
 * @param <M> a message
 */
record HaulMethods<M>(
    MethodDescriptor<M, M> open,
    MethodDescriptor<M, M> ship,
    MethodDescriptor<M, M> commit,
    MethodDescriptor<M, M> cancel) {
  static final String SERVICE = "drayage.v1.Haul";

  /**
   * Creates the methods.
   *
   * @param small makes and reads the messages of which a shipment has only a few
   * @param shipped makes and reads the messages with frames, from the worker
   */
  static <M> HaulMethods<M> of(Marshaller<M> small, Marshaller<M> shipped) {
    return new HaulMethods<>(
        method("Open", MethodType.UNARY, small, small),
        method("Ship", MethodType.CLIENT_STREAMING, shipped, small),
        method("Commit", MethodType.UNARY, small, small),
        method("Cancel", MethodType.UNARY, small, small));
  }

  private static <M> MethodDescriptor<M, M> method(
      String name, MethodType type, Marshaller<M> request, Marshaller<M> answer) {
    return MethodDescriptor.newBuilder(request, answer)
        .setType(type)
        .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, name))
        .setSampledToLocalTracing(true)
        .build();
  }
}
