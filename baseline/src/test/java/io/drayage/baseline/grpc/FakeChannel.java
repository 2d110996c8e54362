package io.drayage.baseline.grpc;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import org.jspecify.annotations.Nullable;

/** A channel to nowhere that is ready when a test wants it to be. Not thread-safe. */
final class FakeChannel extends Channel {
  private boolean ready = true;
  private @Nullable Runnable onReady;

  /** Sets whether calls have room from now on, and notifies them when they get room. */
  void setReady(boolean hasRoom) {
    boolean hadRoom = ready;
    ready = hasRoom;
    Runnable told = onReady;
    if (hasRoom && !hadRoom && told != null) {
      told.run();
    }
  }

  @Override
  public <Q, A> ClientCall<Q, A> newCall(MethodDescriptor<Q, A> method, CallOptions options) {
    return new FakeCall<>();
  }

  @Override
  public String authority() {
    return "nowhere";
  }

  private final class FakeCall<Q, A> extends ClientCall<Q, A> {
    @Override
    public void start(Listener<A> listener, Metadata headers) {
      onReady = listener::onReady;
    }

    @Override
    public boolean isReady() {
      return ready;
    }

    @Override
    public void request(int messages) {}

    @Override
    public void cancel(@Nullable String message, @Nullable Throwable cause) {}

    @Override
    public void halfClose() {}

    @Override
    public void sendMessage(Q message) {}
  }
}
