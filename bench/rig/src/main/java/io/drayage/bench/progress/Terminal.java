package io.drayage.bench.progress;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Tells whether standard error is a terminal. {@link System#console} does not: it asks about
 * standard input and output, and from JDK 22 on there is always one.
 */
final class Terminal {
  private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");

  private Terminal() {}

  /** Whether a bar can be drawn on standard error; false where there is no /proc. */
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
