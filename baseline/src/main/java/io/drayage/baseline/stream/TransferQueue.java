package io.drayage.baseline.stream;

import io.drayage.memory.Lease;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * The chunks between the thread that serializes and the thread that sends. Bounded: 64.5 MB of
 * chunks. The study does not name its bound; this one lets the serializer run ahead of a stalled
 * wire, as the study saw it do, without holding a cargo of gigabytes a second time. Chunks are heap
 * memory: one that is dropped is left to the garbage collector.
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

  /** No chunk will follow; called once, by the thread that put them. */
  void end() throws InterruptedIOException {
    put(END);
  }

  /** The next chunk, which the caller owns then; null after the last, and when abandoned. */
  @Nullable Lease take() throws InterruptedException {
    Lease chunk = abandoned ? END : chunks.take();
    return chunk == END ? null : chunk;
  }

  /** Drops all chunks, wakes the threads in {@link #put} and {@link #take}, and refuses others. */
  void abandon() {
    abandoned = true;
    chunks.clear();
    // Wakes the thread in take. It fits: at most one chunk can slip in behind the check.
    chunks.add(END);
  }

  boolean isAbandoned() {
    return abandoned;
  }
}
