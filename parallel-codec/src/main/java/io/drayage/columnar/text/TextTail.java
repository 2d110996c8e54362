package io.drayage.columnar.text;

import io.drayage.codec.Compressor;
import io.drayage.codec.ScratchBuffer;
import io.drayage.codec.SegmentCompressor;
import io.drayage.codec.SegmentDecoder;
import io.drayage.columnar.stream.Malformed;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Compresses the payload of an encoding of texts:
 *
 * <pre>
 *   0            4                    8
 *   +------------+--------------------+------------------+
 *   | encoding   | bytes of its       | the payload as a |
 *   | i32        | payload, i32       | Zstandard frame  |
 *   +------------+--------------------+------------------+
 * </pre>
 *
 * Not thread-safe.
 */
public final class TextTail {
  static final int ID = 19;

  /** Of the payload, what must be saved for it to be worth the time. */
  private static final int MIN_SAVED_FRACTION = 8;

  private static final int HEADER_BYTES = 8;
  private static final int MIN_BYTES = 256;

  private final Compressor kind;
  private @Nullable SegmentCompressor compressor;
  private final ScratchBuffer plain = new ScratchBuffer();
  private final ScratchBuffer scratch = new ScratchBuffer();
  private final ScratchBuffer copied = new ScratchBuffer();

  /**
   * @param kind Zstandard
   */
  public TextTail(Compressor kind) {
    this.kind = kind;
  }

  /** An empty buffer of so many bytes, to write a payload into; until the next call. */
  ByteBuffer payload(int maxBytes) {
    return plain.ofBytes(maxBytes);
  }

  /**
   * Writes a payload, in its compressed form if that is much shorter.
   *
   * @param payload from {@link #payload(int)}
   * @return whether it is compressed
   * @throws java.nio.BufferOverflowException if the target has no space for it
   */
  boolean write(int encodingId, ByteBuffer payload, ByteBuffer target) {
    int payloadBytes = payload.remaining();
    int maxBytes = payloadBytes - payloadBytes / MIN_SAVED_FRACTION - HEADER_BYTES;
    if (payloadBytes >= MIN_BYTES) {
      ByteBuffer compressed = scratch.ofBytes(maxBytes);
      if (compressor().compress(payload.duplicate(), compressed)) {
        target.putInt(encodingId).putInt(payloadBytes).put(compressed.flip());
        return true;
      }
    }
    target.put(payload);
    return false;
  }

  /** The encoding of a compressed payload, whose first bytes are the source's. */
  int encodingId(ByteBuffer source) throws ShipmentException {
    Malformed.unlessThere("compressed texts", source, HEADER_BYTES);
    return source.getInt();
  }

  /** What is behind {@link #encodingId}, decompressed; there until the next call. */
  ByteBuffer decompress(ByteBuffer source) throws ShipmentException {
    int payloadBytes = source.getInt();
    long maxBytes =
        Math.min(SegmentDecoder.MAX_SERIALIZED_BYTES, (long) source.remaining() * kind.maxRatio());
    if (payloadBytes < 0 || payloadBytes > maxBytes) {
      throw new ShipmentException(
          Fault.LIMIT,
          "texts state %,d bytes in %,d compressed ones; the limit is %,d"
              .formatted(payloadBytes, source.remaining(), maxBytes));
    }
    ByteBuffer payload = scratch.ofBytes(payloadBytes);
    compressor().decompress(direct(source), payload);
    source.position(source.limit());
    return payload.flip();
  }

  /** Natives read at addresses: what lies on the heap is copied first. */
  private ByteBuffer direct(ByteBuffer bytes) {
    if (bytes.isDirect()) {
      return bytes;
    }
    return copied.ofBytes(bytes.remaining()).put(bytes.duplicate()).flip();
  }

  /** Made when it is first needed: most columns are no texts. */
  private SegmentCompressor compressor() {
    SegmentCompressor made = compressor;
    if (made == null) {
      made = kind.newSegmentCompressor();
      compressor = made;
    }
    return made;
  }

  public void close() {
    SegmentCompressor made = compressor;
    compressor = null;
    if (made != null) {
      made.close();
    }
  }
}
