package io.drayage.transactor;

import io.drayage.internal.DaemonThreads;
import io.drayage.internal.Waits;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
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
    if (waits.compareAndSet(false, true)) {
      runLater(thread, failure, this::run);
    }
  }

  private void run() throws IOException {
    waits.set(false);
    task.run();
  }

  /** Runs a task later, unless the thread is shut down. */
  static void runLater(ExecutorService thread, String failure, Task task) {
    DaemonThreads.execute(
        thread,
        () -> {
          try {
            task.run();
          } catch (IOException | RuntimeException e) {
            LOG.log(
                thread.isShutdown() ? Level.DEBUG : Level.WARNING,
                "{0}: {1}",
                failure,
                e.getMessage());
          }
        });
  }

  /** Interrupts the task, and waits for its end for at most a second. */
  @Override
  public void close() {
    end(thread);
  }

  /** Interrupts a thread that writes to the store, so that the store's files may be deleted. */
  static void end(ExecutorService thread) {
    thread.shutdownNow();
    Waits.orInterrupted(() -> thread.awaitTermination(1, TimeUnit.SECONDS));
  }
}
