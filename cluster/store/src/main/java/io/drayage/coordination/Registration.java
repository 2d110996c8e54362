package io.drayage.coordination;

/** A registration that stays in effect until closed. */
@FunctionalInterface
public interface Registration extends AutoCloseable {
  /** Ends the registration. Idempotent. */
  @Override
  void close();
}
