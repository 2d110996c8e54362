package io.drayage.bench.progress;

import java.io.PrintWriter;

/** Shows one step after the other that is done. Not thread-safe. */
public interface StepDisplay extends AutoCloseable {
  /**
   * A display on standard error.
   *
   * @param task what the steps belong to, in a word
   * @param steps how many there will be
   * @param err standard error
   */
  static StepDisplay onStandardError(String task, int steps, PrintWriter err) {
    return Terminal.onStandardError() ? new BarDisplay(task, steps) : new LineDisplay(err);
  }

  /** Shows that {@code done} of {@code steps} steps are done. */
  void step(int done, int steps, String text);

  @Override
  void close();
}
