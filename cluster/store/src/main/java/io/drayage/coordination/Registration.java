package io.drayage.coordination;

/** Stays in effect until closed. */
@FunctionalInterface
public interface Registration extends AutoCloseable {
  /** Idempotent. */
  @Override
  void close();
}
