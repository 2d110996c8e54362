package io.drayage.bench.progress;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Finds out whether standard error is a terminal. {@link System#console} does not: it checks
 * standard input and output, and from JDK 22 on it always returns one.
 */
final class Terminal {
  private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");

  private Terminal() {}

  /** Checks whether a bar can be drawn on standard error; false if there is no /proc. */
  static boolean onStandardError() {
    String terminal = System.getenv("TERM");
    if (terminal == null || terminal.equals("dumb")) {
      return false;
    }
    try {
      String device = STANDARD_ERROR.toRealPath().toString();
      return device.startsWith("/dev/pts/") || device.startsWith("/dev/tty");
    } catch (IOException e) {
      return false;
    }
  }
}
