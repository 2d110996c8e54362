package io.drayage.bench.progress;

import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * Shows progress as a bar on the terminal at standard error. The bar is drawn only when a step is
 * done, because a clock runs meanwhile.
 */
final class BarDisplay implements StepDisplay {
  private static final int NEVER_MS = Integer.MAX_VALUE;

  private final ProgressBar bar;

  BarDisplay(String task, int steps) {
    bar =
        new ProgressBarBuilder()
            .setTaskName(task)
            .setInitialMax(steps)
            .setStyle(ProgressBarStyle.ASCII)
            .setUpdateIntervalMillis(NEVER_MS)
            .hideEta()
            .build();
  }

  @Override
  public void step(int done, int steps, String text) {
    bar.stepTo(done);
    bar.setExtraMessage(text);
    bar.refresh();
  }

  @Override
  public void close() {
    bar.close();
  }
}
