package io.drayage.baseline.java;

/** {@code java-buffered}: a {@link JavaSerializer} that reads through a buffer. */
public final class BufferedJavaSerializer extends JavaSerializer {
  public BufferedJavaSerializer() {
    super(7, "java-buffered", true);
  }
}
