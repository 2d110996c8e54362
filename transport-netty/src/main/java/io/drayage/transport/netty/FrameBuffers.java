package io.drayage.transport.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Reused buffers into which frames are read.
 *
 * <p>Netty's pool returns a chunk of memory to the system as soon as the chunk is unused, which
 * happens all the time with frames of a megabyte. The JDK then fills every new chunk with zeros,
 * which costs a quarter of the receiving thread's time. So this class keeps the buffers that were
 * released last, the hottest first, as long as there are connections. Thread-safe.
 */
final class FrameBuffers {
  /** Least bytes of a kept buffer. Netty's pool, made for small sizes, serves smaller frames. */
  static final int MIN_KEPT_BYTES = 64 << 10;

  /** Number of buffer sizes between a power of two and the next. */
  private static final int STEPS_PER_DOUBLING = 8;

  private final long maxFreeBytes;

  /** Free buffers, LIFO: the bytes of the last one are still in a CPU cache. */
  private final Deque<ByteBuf> free = new ArrayDeque<>();

  private long freeBytes;
  private int connections;

  /**
   * @param maxFreeBytes the most unused bytes that are kept
   */
  FrameBuffers(long maxFreeBytes) {
    this.maxFreeBytes = maxFreeBytes;
  }

  /** Counts a new connection, which will ask for buffers. */
  synchronized void opened() {
    connections++;
  }

  /** Counts a closed connection; the last one frees all memory. */
  synchronized void closed() {
    connections--;
    if (connections == 0) {
      trim(0);
    }
  }

  /** Returns a buffer of at least {@code bytes}, which the caller must {@link #release}. */
  ByteBuf acquire(int bytes, ByteBufAllocator allocator) {
    if (bytes < MIN_KEPT_BYTES) {
      return allocator.directBuffer(bytes, bytes);
    }
    int capacity = roundUp(bytes);
    ByteBuf kept = pollFree(capacity);
    return kept == null ? allocator.directBuffer(capacity, capacity) : kept;
  }

  private synchronized @Nullable ByteBuf pollFree(int capacity) {
    for (Iterator<ByteBuf> buffers = free.iterator(); buffers.hasNext(); ) {
      ByteBuf buffer = buffers.next();
      if (buffer.capacity() == capacity) {
        buffers.remove();
        freeBytes -= capacity;
        return buffer;
      }
    }
    return null;
  }

  /** Releases an {@linkplain #acquire acquired} buffer. Thread-safe. */
  void release(ByteBuf buffer) {
    if (buffer.capacity() < MIN_KEPT_BYTES) {
      buffer.release();
      return;
    }
    synchronized (this) {
      free.push(buffer);
      freeBytes += buffer.capacity();
      trim(connections == 0 ? 0 : maxFreeBytes);
    }
  }

  /** Frees the coldest buffers. */
  private void trim(long bytes) {
    while (freeBytes > bytes) {
      ByteBuf coldest = free.removeLast();
      freeBytes -= coldest.capacity();
      coldest.release();
    }
  }

  private static int roundUp(int bytes) {
    int step = Integer.highestOneBit(bytes) / STEPS_PER_DOUBLING;
    return (bytes + step - 1) / step * step;
  }
}
