package io.drayage.cli.cluster;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Runs an action once: when it is closed, or earlier when a signal such as SIGTERM or Ctrl-C ends
 * the process. Thread-safe.
 */
final class AtEnd implements Closeable {
  private final Closeable action;
  private final Thread hook = new Thread(this::end, "at-end");

  /** Guarded by this. */
  private boolean isDone;

  AtEnd(Closeable action) {
    this.action = action;
    try {
      Runtime.getRuntime().addShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending.
    }
  }

  /** Runs a step, unless the action has begun. */
  synchronized void unlessDone(Runnable step) {
    if (!isDone) {
      step.run();
    }
  }

  private void end() {
    try {
      doOnce();
    } catch (IOException | UncheckedIOException e) {
      System.err.println("drayage: " + e.getMessage());
    }
  }

  private synchronized void doOnce() throws IOException {
    if (!isDone) {
      isDone = true;
      action.close();
    }
  }

  @Override
  public void close() throws IOException {
    try {
      doOnce();
    } finally {
      remove();
    }
  }

  private void remove() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending.
    }
  }
}
