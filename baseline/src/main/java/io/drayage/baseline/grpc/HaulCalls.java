package io.drayage.baseline.grpc;

import io.drayage.memory.Lease;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.StreamObserver;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Makes the calls of the service over one channel. Thread-safe. */
record HaulCalls(Channel channel, Flavour flavour) {
  /** Opens a shipment and waits for the answer. Throws gRPC's exceptions. */
  Lease open(ByteBuffer request, Duration timeout) {
    CallOptions options = withTimeout(timeout);
    return ClientCalls.blockingUnaryCall(
        channel, flavour.methods().open(), options, flavour.message(request));
  }

  void ship(ClientResponseObserver<Lease, Lease> frames) {
    StreamObserver<Lease> unused =
        ClientCalls.asyncClientStreamingCall(
            channel.newCall(flavour.methods().ship(), flavour.shipOptions()), frames);
  }

  void commit(ByteBuffer request, StreamObserver<Lease> answer) {
    ClientCalls.asyncUnaryCall(
        channel.newCall(flavour.methods().commit(), CallOptions.DEFAULT),
        flavour.message(request),
        answer);
  }

  void cancel(ByteBuffer request, Duration timeout, StreamObserver<Lease> answer) {
    ClientCalls.asyncUnaryCall(
        channel.newCall(flavour.methods().cancel(), withTimeout(timeout)),
        flavour.message(request),
        answer);
  }

  private static CallOptions withTimeout(Duration timeout) {
    return CallOptions.DEFAULT.withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS);
  }
}
