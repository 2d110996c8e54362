package io.drayage.coordination;

/** Something that goes on until it is closed. */
@FunctionalInterface
public interface Registration extends AutoCloseable {
  /** Ends it. May be called again. */
  @Override
  void close();
}
