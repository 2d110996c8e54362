package io.drayage.bench.codecs;

/** Says in one line why a measurement failed. */
final class Failures {
  private Failures() {}

  /** The exception and its message, in one line. */
  static String describe(Throwable e) {
    String message = e.getMessage();
    String name = e.getClass().getSimpleName();
    return message == null ? name : name + ": " + message.lines().findFirst().orElse("").strip();
  }

  /** The same of what lies at the bottom: JMH wraps what a process has thrown. */
  static String rootMessage(Throwable e) {
    Throwable root = e;
    while (true) {
      if (root.getCause() != null) {
        root = root.getCause();
      } else if (root.getSuppressed().length > 0) {
        root = root.getSuppressed()[0];
      } else {
        return describe(root);
      }
    }
  }
}
