package io.drayage.baseline.grpc;

import io.drayage.baseline.grpc.proto.HaulGrpc;
import io.drayage.memory.Lease;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;

/**
 * The four methods of the service {@code drayage.v1.Haul}, whose messages are frames. Names, kinds
 * and bytes are those of {@code drayage.proto}, whatever makes and reads the messages.
 */
record HaulMethods(
    MethodDescriptor<Lease, Lease> open,
    MethodDescriptor<Lease, Lease> ship,
    MethodDescriptor<Lease, Lease> commit,
    MethodDescriptor<Lease, Lease> cancel) {
  /**
   * @param small makes and reads the messages of which there are a few in a shipment
   * @param shipped makes and reads those with its frames, from the worker
   */
  static HaulMethods of(Marshaller<Lease> small, Marshaller<Lease> shipped) {
    return new HaulMethods(
        HaulGrpc.getOpenMethod().toBuilder(small, small).build(),
        HaulGrpc.getShipMethod().toBuilder(shipped, small).build(),
        HaulGrpc.getCommitMethod().toBuilder(small, small).build(),
        HaulGrpc.getCancelMethod().toBuilder(small, small).build());
  }
}
