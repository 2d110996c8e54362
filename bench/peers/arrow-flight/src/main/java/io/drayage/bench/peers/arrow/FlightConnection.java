package io.drayage.bench.peers.arrow;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ClientStreamTracer;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.ForwardingClientCallListener.SimpleForwardingClientCallListener;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.unix.IntegerUnixChannelOption;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import org.apache.arrow.flight.FlightClient;
import org.apache.arrow.flight.FlightGrpcUtils;
import org.apache.arrow.memory.BufferAllocator;

/** A Flight client over its own connection, whose bytes are counted. Thread-safe. */
final class FlightConnection implements AutoCloseable {
  private static final long CLOSE_TIMEOUT_S = 5;

  /** TCP_CONGESTION of Linux, whose value is a name: "reno", as a number of four bytes. */
  private static final IntegerUnixChannelOption CONGESTION_CONTROL =
      new IntegerUnixChannelOption("TCP_CONGESTION", 6, 13);

  private static final int RENO =
      ByteBuffer.wrap("reno".getBytes(StandardCharsets.US_ASCII))
          .order(ByteOrder.nativeOrder())
          .getInt();

  private final LongAdder wireBytes = new LongAdder();
  private final LongAdder messages = new LongAdder();
  private final Object readiness = new Object();
  private final ManagedChannel channel;
  private final FlightClient client;

  FlightConnection(
      ArrowSettings settings, InetSocketAddress transactor, BufferAllocator allocator) {
    NettyChannelBuilder builder =
        NettyChannelBuilder.forAddress(transactor)
            .usePlaintext()
            .maxInboundMessageSize(Integer.MAX_VALUE)
            .intercept(new Interceptor(settings.readyBytes()));
    if (settings.windowBytes() > 0) {
      builder.flowControlWindow(settings.windowBytes());
    }
    if (transactor.getAddress().isLoopbackAddress()) {
      // As in our transports over loopback: nothing can be congested there, so no pacing.
      builder.withOption(CONGESTION_CONTROL, RENO);
    }
    this.channel = builder.build();
    this.client = FlightGrpcUtils.createFlightClient(allocator, channel);
  }

  FlightClient client() {
    return client;
  }

  /** Returns the bytes of all messages so far, with gRPC's framing and without HTTP/2's. */
  long wireBytes() {
    return wireBytes.sum();
  }

  /** Returns the number of messages so far. */
  long messages() {
    return messages.sum();
  }

  /** Counts each call, and lets it buffer more than gRPC's 32 KiB before it is not ready. */
  private final class Interceptor implements ClientInterceptor {
    private final int readyBytes;

    Interceptor(int readyBytes) {
      this.readyBytes = readyBytes;
    }

    @Override
    public <Q, A> ClientCall<Q, A> interceptCall(
        MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
      return new SimpleForwardingClientCall<>(
          next.newCall(
              method,
              options
                  .withOnReadyThreshold(readyBytes)
                  .withStreamTracerFactory(new TracerFactory()))) {
        @Override
        public void start(Listener<A> listener, Metadata headers) {
          super.start(new ReadyListener<>(listener), headers);
        }
      };
    }
  }

  /** Signals that a call is ready again: Flight starts its calls before a listener can be set. */
  private final class ReadyListener<A> extends SimpleForwardingClientCallListener<A> {
    ReadyListener(ClientCall.Listener<A> listener) {
      super(listener);
    }

    @Override
    public void onReady() {
      wake();
      super.onReady();
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      super.onClose(status, trailers);
      wake();
    }
  }

  private void wake() {
    synchronized (readiness) {
      readiness.notifyAll();
    }
  }

  /** Waits until a call of this connection is ready for another message, or over. */
  void awaitReady(BooleanSupplier isReady) throws InterruptedException {
    synchronized (readiness) {
      while (!isReady.getAsBoolean()) {
        readiness.wait();
      }
    }
  }

  private final class TracerFactory extends ClientStreamTracer.Factory {
    @Override
    public ClientStreamTracer newClientStreamTracer(
        ClientStreamTracer.StreamInfo info, Metadata headers) {
      return new Tracer();
    }
  }

  private final class Tracer extends ClientStreamTracer {
    @Override
    public void outboundWireSize(long bytes) {
      wireBytes.add(bytes);
    }

    @Override
    public void outboundMessage(int sequenceNumber) {
      messages.increment();
    }
  }

  @Override
  public void close() {
    try {
      client.close();
      channel.shutdown();
      if (!channel.awaitTermination(CLOSE_TIMEOUT_S, TimeUnit.SECONDS)) {
        channel.shutdownNow();
      }
    } catch (InterruptedException e) {
      channel.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
