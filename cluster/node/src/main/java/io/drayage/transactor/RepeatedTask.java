package io.drayage.transactor;

import io.drayage.internal.DaemonThreads;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Runs a task on its own thread after each request. One run serves all requests that came before it
 * began. Thread-safe.
 */
final class RepeatedTask implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(RepeatedTask.class.getName());

  private final String failure;
  private final Task task;
  private final AtomicBoolean waits = new AtomicBoolean();
  private final ExecutorService thread;

  /** The task. */
  interface Task {
    void run() throws IOException;
  }

  /**
   * @param threadName of its thread
   * @param failure logged before the reason
   */
  RepeatedTask(String threadName, String failure, Task task) {
    this.failure = failure;
    this.task = task;
    this.thread = Executors.newSingleThreadExecutor(new DaemonThreads(threadName));
  }

  /** Requests a full run. Does not block; without effect after {@link #close}. */
  void runLater() {
    if (!waits.compareAndSet(false, true)) {
      return;
    }
    try {
      thread.execute(this::run);
    } catch (RejectedExecutionException e) {
      // Closed.
    }
  }

  private void run() {
    waits.set(false);
    try {
      task.run();
    } catch (IOException | RuntimeException e) {
      LOG.log(
          thread.isShutdown() ? Level.DEBUG : Level.WARNING, "{0}: {1}", failure, e.getMessage());
    }
  }

  /** Interrupts the task, and waits for its end for at most a second. */
  @Override
  public void close() {
    end(thread);
  }

  /** Interrupts a thread that writes to the store, so that the store's files may be deleted. */
  static void end(ExecutorService thread) {
    thread.shutdownNow();
    try {
      boolean unused = thread.awaitTermination(1, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
