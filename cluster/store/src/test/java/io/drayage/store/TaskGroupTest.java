package io.drayage.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.frame.ShipmentException;
import io.drayage.internal.Waits;
import io.drayage.store.column.Rejection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

class TaskGroupTest {
  @Test
  void runsEachTaskOnce() throws ShipmentException {
    AtomicIntegerArray runs = new AtomicIntegerArray(1_000);
    List<TaskGroup.Task> tasks = new ArrayList<>();
    for (int i = 0; i < runs.length(); i++) {
      int task = i;
      tasks.add(() -> runs.incrementAndGet(task));
    }

    TaskGroup.run(ForkJoinPool.commonPool(), 4, tasks);

    for (int i = 0; i < runs.length(); i++) {
      assertThat(runs.get(i)).as("runs of task %d", i).isEqualTo(1);
    }
  }

  @Test
  void runsNothingIfThereIsNothingToRun() throws ShipmentException {
    TaskGroup.run(ForkJoinPool.commonPool(), 4, List.of());
  }

  @Test
  void throwsTheFailureOfTheFirstTaskInTheListThatFailed() {
    CountDownLatch laterFailed = new CountDownLatch(1);
    List<TaskGroup.Task> tasks =
        List.of(
            () -> {
              Waits.orInterrupted(laterFailed::await);
              throw Rejection.of("first");
            },
            () -> {
              laterFailed.countDown();
              throw Rejection.of("second");
            });

    assertThatThrownBy(() -> TaskGroup.run(task -> new Thread(task).start(), 2, tasks))
        .isInstanceOf(ShipmentException.class)
        .hasMessage("first");
  }

  @Test
  void finishesItsTasksAndStaysInterruptedIfItIsInterrupted() throws ShipmentException {
    AtomicIntegerArray runs = new AtomicIntegerArray(1);
    Thread.currentThread().interrupt();
    try {
      TaskGroup.run(ForkJoinPool.commonPool(), 2, List.of(() -> runs.incrementAndGet(0)));
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(runs.get(0)).isEqualTo(1);
  }
}
