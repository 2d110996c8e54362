package io.drayage.bench.progress;

import static io.drayage.internal.Texts.format;

import java.io.PrintWriter;

/** Shows progress as one line for each finished step. */
public record LineDisplay(PrintWriter out) implements StepDisplay {
  @Override
  public void step(int done, int steps, String text) {
    out.println(format("[%d/%d] %s", done, steps, text));
    out.flush();
  }

  @Override
  public void close() {
    out.flush();
  }
}
