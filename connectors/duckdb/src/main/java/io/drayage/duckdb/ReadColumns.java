package io.drayage.duckdb;

import static io.drayage.internal.Texts.format;

import io.drayage.internal.Counted;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Reports the progress of reading an import's columns from time to time, from the first values on.
 * Thread-safe.
 */
final class ReadColumns {
  private static final long BETWEEN_LINES_NS = TimeUnit.SECONDS.toNanos(2);

  private final Consumer<String> progress;
  private long expected;
  private long read;
  private long startNs;
  private long toldNs;

  ReadColumns(Consumer<String> progress) {
    this.progress = progress;
  }

  /** Adds a column. */
  synchronized void expect(long values) {
    expected += values;
  }

  /** Adds values of a column that are read for the first time. */
  synchronized void add(int values) {
    long nowNs = System.nanoTime();
    if (read == 0) {
      startNs = nowNs;
      toldNs = nowNs;
    }
    read += values;
    if (nowNs - toldNs >= BETWEEN_LINES_NS) {
      toldNs = nowNs;
      progress.accept(line((nowNs - startNs) / 1e9));
    }
  }

  private String line(double seconds) {
    return format(
        "%,d of %s read, %.0f %%, %,.0f values/s",
        read, Counted.of(expected, "value"), 100.0 * read / expected, read / seconds);
  }
}
