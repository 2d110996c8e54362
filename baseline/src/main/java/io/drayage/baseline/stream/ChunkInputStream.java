package io.drayage.baseline.stream;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.memory.Lease;
import io.drayage.metrics.Counters;
import io.drayage.metrics.Metric;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The byte stream in the chunks of a shipment. It checks every chunk before reading it, releases
 * the chunk after reading it, and ends at the seal. Not thread-safe.
 */
final class ChunkInputStream extends InputStream {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final ReceiveQueue queue;
  private final Counters counters;
  private final Consumer<Lease> whenRead;
  private final Seal.Digest digest = new Seal.Digest();
  private ByteBuffer payload = NOTHING;
  private int chunkCount;

  /** Time when the thread began to read a chunk; 0 before the first. */
  private long busySinceNs;

  private @Nullable Lease lease;
  private @Nullable Seal seal;
  private @Nullable ShipmentException failure;

  /**
   * @param whenRead gets each chunk once it is verified, and retains the chunks that it keeps
   */
  ChunkInputStream(ReceiveQueue queue, Counters counters, Consumer<Lease> whenRead) {
    this.queue = queue;
    this.counters = counters;
    this.whenRead = whenRead;
  }

  @Override
  public int read() throws ShipmentException {
    if (!hasBytes()) {
      return -1;
    }
    int value = payload.get() & 0xFF;
    releaseIfRead();
    return value;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws ShipmentException {
    Objects.checkFromIndexSize(offset, length, target.length);
    if (length == 0) {
      return 0;
    }
    if (!hasBytes()) {
      return -1;
    }
    int count = Math.min(length, payload.remaining());
    payload.get(target, offset, count);
    releaseIfRead();
    return count;
  }

  @Override
  public int available() {
    return payload.remaining();
  }

  /**
   * Compares the seal with the bytes that were read. To be called when the cargo is whole.
   *
   * @return the seal
   * @throws ShipmentException {@link Fault#DECODE} if the seal does not come next, and as {@link
   *     Seal#requireSameAs}
   */
  Seal requireSealed() throws ShipmentException {
    if (hasBytes() || seal == null) {
      throw new ShipmentException(
          Fault.DECODE, format("chunk %,d goes on behind the end of the cargo", chunkCount - 1));
    }
    seal.requireSameAs(digest.seal());
    return seal;
  }

  /** Returns the failure of reading, which a stream on top may hide; null if none. */
  @Nullable ShipmentException failure() {
    return failure;
  }

  /** Releases the chunk that was begun. Closing a stream on top does not, and loses no bytes. */
  void release() {
    if (lease != null) {
      payload = NOTHING;
      Lease begun = lease;
      lease = null;
      begun.close();
    }
  }

  private boolean hasBytes() throws ShipmentException {
    try {
      while (seal == null && !payload.hasRemaining()) {
        next();
      }
    } catch (ShipmentException e) {
      failure = e;
      throw e;
    }
    return payload.hasRemaining();
  }

  private void next() throws ShipmentException {
    release();
    Lease next = takeMetered();
    lease = next;
    ByteBuffer frame = next.buffer();
    ByteBuffer verified = FrameHeader.verify(frame);
    FrameType type = FrameHeader.type(frame);
    if (type == FrameType.SEAL) {
      seal = Seal.ofPayload(verified);
      release();
    } else if (type == FrameType.CHUNK) {
      digest.add(chunkCount++, FrameHeader.checksum(frame));
      counters.count(Metric.FRAMES, Metric.WIRE_BYTES, frame.remaining());
      whenRead.accept(next);
      payload = verified;
    } else {
      throw new ShipmentException(
          Fault.PROTOCOL_VIOLATION,
          "%s frame in a shipment of the stream pipeline".formatted(type));
    }
  }

  private Lease takeMetered() throws ShipmentException {
    long askedNs = System.nanoTime();
    if (busySinceNs != 0) {
      counters.add(Metric.BUSY_NS, askedNs - busySinceNs);
    }
    Lease next = queue.take();
    busySinceNs = System.nanoTime();
    counters.count(Metric.WAITS, Metric.WAIT_NS, busySinceNs - askedNs);
    return next;
  }

  private void releaseIfRead() {
    if (!payload.hasRemaining()) {
      release();
    }
  }
}
