package io.drayage.transport.netty.connection;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Reused buffers that frames are read into.
 *
 * <p>Netty's pool returns a chunk of memory to the system as soon as nothing of it is in use, which
 * with frames of a megabyte is all the time, and the JDK fills every new chunk with zeros: a
 * quarter of the receiving thread's time. So the buffers that were released last are kept here, the
 * hottest first, as long as there are connections. Thread-safe.
 */
public final class FrameBuffers {
  /** Smaller frames come from Netty's pool, which is made for them. */
  public static final int MIN_KEPT_BYTES = 64 << 10;

  /** Sizes of buffers between a power of two and the next. */
  private static final int STEPS_PER_DOUBLING = 8;

  private final long maxFreeBytes;

  /** LIFO: the bytes of the last one are still in a cache. */
  private final Deque<ByteBuf> free = new ArrayDeque<>();

  private long freeBytes;
  private int connections;

  /**
   * @param maxFreeBytes how many bytes are kept at most that are not in use
   */
  public FrameBuffers(long maxFreeBytes) {
    this.maxFreeBytes = maxFreeBytes;
  }

  /** A connection is there that will ask for buffers. */
  synchronized void opened() {
    connections++;
  }

  /** A connection is gone; with the last one, all memory goes. */
  synchronized void closed() {
    connections--;
    if (connections == 0) {
      trim(0);
    }
  }

  /** A buffer of at least {@code bytes}, to be {@link #release}d. */
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

  /** Releases a buffer that was {@link #acquire acquired}, on any thread. */
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
