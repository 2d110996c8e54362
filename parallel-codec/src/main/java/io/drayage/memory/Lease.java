package io.drayage.memory;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A borrowed buffer. Whoever holds the lease owns the bytes between position and limit, and must
 * either pass the lease on or {@link #close()} it, once. After that the buffer must not be touched.
 *
 * <p>{@code close} may be called on any thread; the buffer itself is for one thread at a time.
 */
public final class Lease implements AutoCloseable {
  private final ByteBuffer buffer;
  private final Runnable giveBack;
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * A lease of {@code buffer}.
   *
   * @param giveBack run once, on the thread that closes the lease; must not throw or block
   */
  public Lease(ByteBuffer buffer, Runnable giveBack) {
    this.buffer = buffer;
    this.giveBack = giveBack;
  }

  /** A lease of memory that nobody waits for, left to the garbage collector. */
  public static Lease ofHeap(ByteBuffer buffer) {
    return new Lease(buffer, () -> {});
  }

  /** The borrowed bytes, little-endian, from position to limit. */
  public ByteBuffer buffer() {
    if (closed.get()) {
      throw new IllegalStateException("the lease was given back already");
    }
    return buffer;
  }

  /** The bytes between position and limit. */
  public int remainingBytes() {
    return buffer.remaining();
  }

  /**
   * Gives the buffer back.
   *
   * @throws IllegalStateException if it was given back before: a second owner may have it now
   */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      throw new IllegalStateException("the lease was given back twice");
    }
    giveBack.run();
  }
}
