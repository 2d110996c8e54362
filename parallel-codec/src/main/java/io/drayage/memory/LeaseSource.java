package io.drayage.memory;

import org.jspecify.annotations.Nullable;

/** Where leases come from. */
public interface LeaseSource {
  /** The capacity up to which a lease costs no new buffer; it has no less in any case. */
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
