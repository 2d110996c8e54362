package io.drayage.profiling;

/**
 * One frame of a stack. Within one reading, equal frames are the same object.
 *
 * @param name {@code package.Class.method} in Java, otherwise the symbol
 * @param type async-profiler's number for the kind of code
 */
public record Frame(String name, byte type) {
  /** Name of frames without a symbol. */
  private static final String NAMELESS = "[unknown]";

  boolean isKernel() {
    return type == one.convert.Frame.TYPE_KERNEL;
  }

  /** Checks whether the frame has no name. */
  boolean isNameless() {
    return name.isEmpty() || name.equals(NAMELESS) || name.equals("unknown");
  }
}
