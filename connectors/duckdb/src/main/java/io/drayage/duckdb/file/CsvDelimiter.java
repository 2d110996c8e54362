package io.drayage.duckdb.file;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Finds the delimiter of a CSV file in its first line. If that line has several, such as a comma in
 * a name among semicolons, the delimiter is the one with equal counts in all lines.
 */
final class CsvDelimiter {
  private static final int BUFFER_BYTES = 1 << 16;

  private CsvDelimiter() {}

  /** Returns the delimiter; empty if the first line has none. */
  static String of(Path file, boolean zipped) throws IOException {
    try (InputStream in = new BufferedInputStream(TextBytes.open(file, zipped), BUFFER_BYTES)) {
      DelimiterCounts first = next(in);
      if (first == null || first.kinds() <= 1) {
        return first == null ? "" : first.most();
      }
      DelimiterCounts all = first.copy();
      for (DelimiterCounts line = next(in); line != null; line = next(in)) {
        all.keepEqual(line);
      }
      return all.kinds() == 0 ? first.most() : all.most();
    }
  }

  /** Returns the counts of the next line that is not blank; null if there is none. */
  private static @Nullable DelimiterCounts next(InputStream in) throws IOException {
    DelimiterCounts line = new DelimiterCounts();
    boolean isBlank = true;
    for (int letter = in.read(); letter >= 0; letter = in.read()) {
      if (line.add((byte) letter)) {
        isBlank = false;
      } else if (!isBlank) {
        return line;
      }
    }
    return isBlank ? null : line;
  }
}
