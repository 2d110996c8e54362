package io.drayage.objectstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.testing.Waiting;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ConcurrentCallsTest {
  private static final List<Integer> THINGS = IntStream.range(0, 1_000).boxed().toList();

  private final Queue<Integer> called = new ConcurrentLinkedQueue<>();

  @Test
  void callsForEachOnce() throws Exception {
    ConcurrentCalls.forEach(THINGS, called::add);
    assertThat(called).containsExactlyInAnyOrderElementsOf(THINGS);
    ConcurrentCalls.forEach(List.of(), called::add);
    ConcurrentCalls.forEach(List.of(-1), called::add);
    assertThat(called).hasSize(THINGS.size() + 1);
  }

  @Test
  void makesEightCallsAtOnce() throws Exception {
    CountDownLatch eight = new CountDownLatch(8);
    ConcurrentCalls.forEach(
        THINGS.subList(0, 8),
        thing -> {
          eight.countDown();
          await(eight);
          called.add(thing);
        });
    assertThat(called).hasSize(8);
  }

  private static void await(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    }
  }

  @Test
  void beginsNoMoreAfterAFailure() {
    IOException failure = new IOException("no answer");
    CountDownLatch failed = new CountDownLatch(1);
    AtomicReference<Thread> failing = new AtomicReference<>();
    assertThatThrownBy(
            () ->
                ConcurrentCalls.forEach(
                    THINGS,
                    thing -> {
                      called.add(thing);
                      if (thing == 0) {
                        failing.set(Thread.currentThread());
                        failed.countDown();
                        throw failure;
                      }
                      await(failed);
                      // Until the thread of the failure is idle, whatever else the machine does.
                      Waiting.awaitParked(failing.get());
                    }))
        .isSameAs(failure);
    assertThat(called.size()).isLessThan(THINGS.size());
    assertThatThrownBy(
            () ->
                ConcurrentCalls.forEach(
                    THINGS,
                    thing -> {
                      throw new IllegalStateException("a defect");
                    }))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void endsWhenItIsInterrupted() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> ConcurrentCalls.forEach(THINGS, thing -> await(new CountDownLatch(1))))
        .isInstanceOf(InterruptedIOException.class);
    assertThat(Thread.interrupted()).isTrue();
  }
}
