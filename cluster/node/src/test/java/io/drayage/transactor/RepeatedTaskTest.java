package io.drayage.transactor;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.testing.Waiting;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class RepeatedTaskTest {
  private final AtomicInteger runs = new AtomicInteger();
  private final AtomicInteger ends = new AtomicInteger();
  private final Semaphore mayEnd = new Semaphore(0);
  private final AtomicReference<Thread> thread = new AtomicReference<>();

  private void run() {
    thread.set(Thread.currentThread());
    runs.incrementAndGet();
    mayEnd.acquireUninterruptibly();
    ends.incrementAndGet();
  }

  @Test
  void allWhoAskDuringARunGetOneMore() {
    try (RepeatedTask task = new RepeatedTask("test", "failed", this::run)) {
      task.runLater();
      Waiting.await(() -> runs.get() == 1);
      for (int i = 0; i < 10; i++) {
        task.runLater();
      }

      mayEnd.release(2);
      Waiting.await(() -> ends.get() == 2);
      Waiting.awaitParked(thread.get());

      assertThat(runs).as("the next one would have begun").hasValue(2);
      task.runLater();
      Waiting.await(() -> runs.get() == 3);
      mayEnd.release();
    }
  }

  @Test
  void runsAgainAfterAFailure() throws Exception {
    CountDownLatch both = new CountDownLatch(2);
    try (RepeatedTask task =
        new RepeatedTask(
            "test",
            "this is shown in the log",
            () -> {
              both.countDown();
              throw new IOException("as it should be");
            })) {
      task.runLater();
      Waiting.await(() -> both.getCount() == 1);
      task.runLater();
      both.await();
    }
    RepeatedTask closed = new RepeatedTask("test", "failed", this::run);
    closed.close();
    closed.runLater();
    assertThat(runs).hasValue(0);
  }
}
