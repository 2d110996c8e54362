package io.drayage.baseline.stream;

import io.drayage.memory.Lease;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * The chunks between the thread that serializes and the thread that sends. The bound is 64.5 MB of
 * chunks. The study does not name its bound. With this bound, the serializer can be ahead of a
 * stalled wire, as the study observed, but the queue does not hold a second copy of a cargo of
 * gigabytes. Chunks are heap memory: the garbage collector frees a dropped chunk.
 */
final class TransferQueue {
  /** The most bytes that wait: 1,024 chunks of 63 kB. */
  private static final int MAX_BYTES = 1_024 * StreamOptions.PUBLISHED_CHUNK_BYTES;

  private static final Lease END = Lease.ofHeap(ByteBuffer.allocate(0));

  private final BlockingQueue<Lease> chunks;
  private volatile boolean abandoned;

  TransferQueue(StreamOptions options) {
    int inBytes = Math.max(StreamOptions.MIN_QUEUE_CHUNKS, MAX_BYTES / options.chunkBytes());
    this.chunks = new ArrayBlockingQueue<>(Math.min(options.queueChunks(), inBytes));
  }

  /**
   * Adds a chunk, waiting while the queue is full.
   *
   * @throws InterruptedIOException if the queue is abandoned, or if interrupted
   */
  void put(Lease chunk) throws InterruptedIOException {
    if (abandoned) {
      throw new InterruptedIOException("the shipment is over");
    }
    try {
      chunks.put(chunk);
    } catch (InterruptedException e) {
      throw (InterruptedIOException) new InterruptedIOException("interrupted").initCause(e);
    }
  }

  /** Ends the queue; called once, by the thread that puts chunks. */
  void end() throws InterruptedIOException {
    put(END);
  }

  /** Takes the next chunk, which the caller then owns; null after the last, and when abandoned. */
  @Nullable Lease take() throws InterruptedException {
    Lease chunk = abandoned ? END : chunks.take();
    return chunk == END ? null : chunk;
  }

  /** Drops all chunks, wakes threads in {@link #put} and {@link #take}, and refuses others. */
  void abandon() {
    abandoned = true;
    chunks.clear();
    // Wakes the thread in take. There is room: at most one chunk was added after the check.
    chunks.add(END);
  }

  boolean isAbandoned() {
    return abandoned;
  }
}
