package io.drayage.bench.progress;

import java.io.PrintWriter;

/** Shows finished steps, one after the other. Not thread-safe. */
public interface StepDisplay extends AutoCloseable {
  /**
   * Makes a display on standard error.
   *
   * @param task names the steps, in a word
   * @param steps number of steps
   * @param err standard error
   */
  static StepDisplay onStandardError(String task, int steps, PrintWriter err) {
    return Terminal.onStandardError() ? new BarDisplay(task, steps) : new LineDisplay(err);
  }

  /** Shows that {@code done} of {@code steps} steps are finished. */
  void step(int done, int steps, String text);

  @Override
  void close();
}
