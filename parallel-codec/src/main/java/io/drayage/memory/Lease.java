package io.drayage.memory;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A borrowed buffer with counted owners. A lease begins with one owner. Each owner either passes
 * its reference on or {@link #release releases} it, once, and must not touch the buffer afterwards.
 * The last owner returns the buffer to its source.
 *
 * <p>Counting is thread-safe. While there are several owners, the buffer, its position and its
 * limit are read only: an owner that moves them uses a {@link #view}.
 */
public final class Lease implements AutoCloseable {
  private final ByteBuffer buffer;
  private final Runnable onReleased;
  private final AtomicInteger owners = new AtomicInteger(1);

  /**
   * A lease of {@code buffer} with one owner.
   *
   * @param onReleased runs once, on the thread of the last owner; must not throw or block
   */
  public Lease(ByteBuffer buffer, Runnable onReleased) {
    this.buffer = buffer;
    this.onReleased = onReleased;
  }

  /** A lease of memory that is left to the garbage collector. */
  public static Lease ofHeap(ByteBuffer buffer) {
    return new Lease(buffer, () -> {});
  }

  /** The borrowed bytes, little-endian, from position to limit. */
  public ByteBuffer buffer() {
    requireOwned(owners.get());
    return buffer;
  }

  /** A view of the bytes with its own position and limit. */
  public ByteBuffer view() {
    return buffer().duplicate().order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Number of bytes between position and limit. */
  public int remainingBytes() {
    return buffer.remaining();
  }

  /** Adds an owner, which must release the lease too. Only for a current owner. */
  public Lease retain() {
    requireOwned(owners.getAndIncrement());
    return this;
  }

  /**
   * Ends one ownership.
   *
   * @throws IllegalStateException if no owner was left: the buffer may be in use again
   */
  public void release() {
    int left = owners.decrementAndGet();
    requireOwned(left + 1);
    if (left == 0) {
      onReleased.run();
    }
  }

  /** {@link #release}, for try-with-resources. */
  @Override
  public void close() {
    release();
  }

  private static void requireOwned(int owners) {
    if (owners <= 0) {
      throw new IllegalStateException("the lease was released already");
    }
  }
}
