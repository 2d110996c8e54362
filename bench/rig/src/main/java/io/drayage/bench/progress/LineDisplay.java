package io.drayage.bench.progress;

import java.io.PrintWriter;
import java.util.Locale;

/** Shows progress as a line for each step that is done. */
public record LineDisplay(PrintWriter out) implements StepDisplay {
  @Override
  public void step(int done, int steps, String text) {
    out.println(String.format(Locale.ROOT, "[%d/%d] %s", done, steps, text));
    out.flush();
  }

  @Override
  public void close() {
    out.flush();
  }
}
