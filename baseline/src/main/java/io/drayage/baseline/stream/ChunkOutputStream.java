package io.drayage.baseline.stream;

import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.Seal;
import io.drayage.memory.Lease;
import io.drayage.metrics.Counters;
import io.drayage.metrics.Metric;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Cuts a byte stream into chunks, and queues each chunk as soon as it is full. Only {@link #finish}
 * ends a chunk early, not a flush or a close. Not thread-safe.
 */
final class ChunkOutputStream extends OutputStream {
  private final int chunkBytes;
  private final long shipmentId;
  private final TransferQueue queue;
  private final Counters counters;
  private final Seal.Digest digest = new Seal.Digest();
  private ByteBuffer chunk;
  private int chunkCount;
  private long frameBytes;

  /** Time when the thread began to make bytes again. */
  private long busySinceNs = System.nanoTime();

  /**
   * @param chunkBytes payload bytes of every chunk but the last
   */
  ChunkOutputStream(int chunkBytes, long shipmentId, TransferQueue queue, Counters counters) {
    this.chunkBytes = chunkBytes;
    this.shipmentId = shipmentId;
    this.queue = queue;
    this.counters = counters;
    this.chunk = newChunk();
  }

  private ByteBuffer newChunk() {
    return ByteBuffer.allocate(FrameHeader.BYTES + chunkBytes).position(FrameHeader.BYTES);
  }

  @Override
  public void write(int value) throws IOException {
    chunk.put((byte) value);
    if (!chunk.hasRemaining()) {
      queueChunk();
    }
  }

  @Override
  public void write(byte[] source, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, source.length);
    int done = 0;
    while (done < length) {
      int count = Math.min(length - done, chunk.remaining());
      chunk.put(source, offset + done, count);
      done += count;
      if (!chunk.hasRemaining()) {
        queueChunk();
      }
    }
  }

  /** Queues the last chunk, and the end of the queue. */
  void finish() throws IOException {
    if (chunk.position() > FrameHeader.BYTES) {
      queueChunk();
    }
    queue.end();
  }

  private void queueChunk() throws IOException {
    ByteBuffer full = chunk.flip();
    int checksum = FrameHeader.write(full, FrameType.CHUNK, shipmentId);
    digest.add(chunkCount++, checksum);
    frameBytes += full.remaining();
    counters.count(Metric.FRAMES, Metric.WIRE_BYTES, full.remaining());
    long fullNs = System.nanoTime();
    counters.add(Metric.BUSY_NS, fullNs - busySinceNs);
    queue.put(Lease.ofHeap(full));
    busySinceNs = System.nanoTime();
    counters.count(Metric.WAITS, Metric.WAIT_NS, busySinceNs - fullNs);
    chunk = newChunk();
  }

  /** The seal of all chunks queued so far. */
  Seal seal() {
    return digest.seal();
  }

  /** Bytes of all chunks queued so far, headers included. */
  long frameBytes() {
    return frameBytes;
  }
}
