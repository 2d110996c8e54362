package io.drayage.memory;

import org.jspecify.annotations.Nullable;

/** A source of leases. */
public interface LeaseSource {
  /** The least capacity of a lease. A lease of up to this size needs no new buffer. */
  int pooledBytes();

  /**
   * Leases a cleared little-endian direct buffer of at least {@code minBytes}.
   *
   * @return null if a source that does not wait has none now
   * @throws IllegalArgumentException if {@code minBytes} exceed the whole budget
   * @throws InterruptedException if interrupted in a source that waits
   */
  @Nullable Lease lease(int minBytes) throws InterruptedException;
}
