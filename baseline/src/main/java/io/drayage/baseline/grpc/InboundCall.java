package io.drayage.baseline.grpc;

import io.drayage.memory.Lease;
import io.grpc.stub.ServerCallStreamObserver;
import java.nio.ByteBuffer;

/**
 * One of the calls that bring the frames of a shipment, and how many more messages it is asked for.
 * It is answered once. Thread-safe.
 */
final class InboundCall {
  private final ServerCallStreamObserver<Lease> call;
  private final InboundWindow window;
  private boolean answered;

  InboundCall(ServerCallStreamObserver<Lease> call, InboundWindow window) {
    this.call = call;
    this.window = window;
  }

  InboundWindow window() {
    return window;
  }

  void open() {
    request(window.open());
  }

  void request(int messages) {
    if (messages > 0) {
      call.request(messages);
    }
  }

  /** Without effect if it was answered before. */
  synchronized void answer(ByteBuffer frame) {
    if (!answered) {
      answered = true;
      call.onNext(Lease.ofHeap(frame));
      call.onCompleted();
    }
  }
}
