package io.drayage.store;

import io.drayage.frame.ShipmentException;
import io.drayage.internal.Waits;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks on the calling thread and on threads of an executor, and returns after all are done.
 *
 * <p>Each thread claims the next task until none is left. The caller takes part and waits only for
 * claimed tasks, so a busy or full executor costs speed, never a deadlock. The failure of the first
 * failed task in the list is thrown, so it does not depend on the order of execution.
 */
final class TaskGroup {
  /** A task, whose writes are visible to the caller afterwards. */
  interface Task {
    void run() throws ShipmentException;
  }

  private final List<Task> tasks;
  private final AtomicInteger nextTask = new AtomicInteger();
  private final CountDownLatch unfinished;

  /** The lowest index of a failed task; later tasks need not run. Guarded by this. */
  private int failedTask = Integer.MAX_VALUE;

  private @Nullable Throwable failure;

  private TaskGroup(List<Task> tasks) {
    this.tasks = tasks;
    this.unfinished = new CountDownLatch(tasks.size());
  }

  /**
   * Runs all tasks.
   *
   * @param threads limit of the number of threads, including the caller's
   * @throws ShipmentException the failure of a task; also runtime exceptions and errors
   */
  static void run(Executor executor, int threads, List<Task> tasks) throws ShipmentException {
    TaskGroup group = new TaskGroup(tasks);
    int others = Math.min(threads, tasks.size()) - 1;
    try {
      for (int i = 0; i < others; i++) {
        executor.execute(group::claimTasks);
      }
    } catch (RejectedExecutionException full) {
      // The caller does the work itself.
    } finally {
      // Waits even if the executor failed, because its threads may have claimed tasks.
      group.claimTasks();
      group.awaitAll();
    }
    group.throwFailure();
  }

  private void claimTasks() {
    for (int i = nextTask.getAndIncrement(); i < tasks.size(); i = nextTask.getAndIncrement()) {
      try {
        if (i < firstFailed()) {
          tasks.get(i).run();
        }
      } catch (Throwable thrown) {
        fail(i, thrown);
      } finally {
        unfinished.countDown();
      }
    }
  }

  private synchronized int firstFailed() {
    return failedTask;
  }

  private synchronized void fail(int task, Throwable thrown) {
    if (task < failedTask) {
      failedTask = task;
      failure = thrown;
    }
  }

  /** Waits until the tasks end. Ignores interrupts, because the tasks use the caller's data. */
  private void awaitAll() {
    Waits.uninterrupted(unfinished::await);
  }

  private synchronized void throwFailure() throws ShipmentException {
    if (failure instanceof ShipmentException rejected) {
      throw rejected;
    } else if (failure instanceof RuntimeException unchecked) {
      throw unchecked;
    } else if (failure instanceof Error error) {
      throw error;
    }
  }
}
