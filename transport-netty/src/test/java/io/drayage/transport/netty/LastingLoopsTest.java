package io.drayage.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.frame.ShipmentException;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class LastingLoopsTest {
  private final AtomicBoolean failing = new AtomicBoolean();
  private final CompletableFuture<ShipmentException> told = new CompletableFuture<>();

  @Test
  void anErrorWhileALoopReadsIsToldAndTheLoopGoesOn() throws Exception {
    EventLoopGroup group = loop(told::complete);
    try {
      failing.set(true);
      assertThat(group.submit(() -> 1).get(60, TimeUnit.SECONDS)).isEqualTo(1);
      assertThat(told.get(60, TimeUnit.SECONDS))
          .hasMessage(
              "an error hit the event loop lasting-%s: java.lang.OutOfMemoryError: planted",
              group.submit(LastingLoopsTest::numberOfThread).get());
    } finally {
      end(group);
    }
  }

  @Test
  void anErrorIsToldAgainIfThereWasNoMemoryToHearOfIt() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    EventLoopGroup group =
        loop(
            error -> {
              if (calls.incrementAndGet() < 3) {
                throw new OutOfMemoryError("planted");
              }
              told.complete(error);
            });
    try {
      failing.set(true);
      assertThat(group.submit(() -> 1).get(60, TimeUnit.SECONDS)).isEqualTo(1);
      assertThat(told).succeedsWithin(60, TimeUnit.SECONDS); // After the task if that came first.
      assertThat(calls).hasValue(3);
    } finally {
      end(group);
    }
  }

  @Test
  void loopWhoseOwnerNeverSucceedsCanBeEnded() {
    EventLoopGroup group =
        loop(
            error -> {
              told.complete(error);
              throw new IllegalStateException("planted");
            });
    failing.set(true);
    group.execute(() -> {});
    assertThat(told).succeedsWithin(60, TimeUnit.SECONDS);
    end(group);
  }

  @Test
  void threadsThatCannotBeStartedAreNoticedAtOnce() {
    ThreadFactory none =
        task -> {
          throw new OutOfMemoryError("unable to create native thread");
        };
    assertThatThrownBy(() -> new LastingLoops(1, none, NioIoHandler.newFactory(), told::complete))
        .isInstanceOf(OutOfMemoryError.class);
  }

  private static String numberOfThread() {
    return Thread.currentThread().getName().substring("lasting-".length());
  }

  private LastingLoops loop(Consumer<ShipmentException> whenHit) {
    IoHandlerFactory nio = NioIoHandler.newFactory();
    return new LastingLoops(
        1,
        new DefaultThreadFactory("lasting", true),
        executor -> failing(nio.newHandler(executor)),
        whenHit);
  }

  /** Returns a handler that fails once on request. */
  private IoHandler failing(IoHandler handler) {
    return (IoHandler)
        Proxy.newProxyInstance(
            IoHandler.class.getClassLoader(),
            new Class<?>[] {IoHandler.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("run") && failing.getAndSet(false)) {
                throw new OutOfMemoryError("planted");
              }
              try {
                return method.invoke(handler, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private static void end(EventLoopGroup group) {
    assertThat(
            group
                .shutdownGracefully(0, 1, TimeUnit.SECONDS)
                .awaitUninterruptibly(60, TimeUnit.SECONDS))
        .isTrue();
  }
}
