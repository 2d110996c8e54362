package io.drayage.profiling;

/**
 * One frame of a stack. Frames of one reading are the same object if they are equal.
 *
 * @param name {@code package.Class.method} in Java, the symbol elsewhere
 * @param type async-profiler's number for the kind of code
 */
public record Frame(String name, byte type) {
  /** Names that the symbol tables do not have. */
  private static final String NAMELESS = "[unknown]";

  boolean isKernel() {
    return type == one.convert.Frame.TYPE_KERNEL;
  }

  /** Whether nothing is known of it. */
  boolean isNameless() {
    return name.isEmpty() || name.equals(NAMELESS) || name.equals("unknown");
  }
}
