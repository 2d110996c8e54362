package io.drayage.columnar.text;

import static io.drayage.internal.Texts.format;

import io.drayage.codec.SegmentDecoder;
import io.drayage.columnar.stream.Malformed;
import io.drayage.columnar.stream.Zstandard;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;

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

  private final Zstandard zstd;

  /**
   * @param zstd its own: numbers within texts may be compressed too
   */
  public TextTail(Zstandard zstd) {
    this.zstd = zstd;
  }

  /** What it compresses with. */
  Zstandard zstd() {
    return zstd;
  }

  /** An empty buffer of so many bytes, to write a payload into; until the next call. */
  ByteBuffer payload(int maxBytes) {
    return zstd.payload(maxBytes);
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
    ByteBuffer compressed = payloadBytes < MIN_BYTES ? null : zstd.compress(payload, maxBytes);
    if (compressed == null) {
      target.put(payload);
      return false;
    }
    target.putInt(encodingId).putInt(payloadBytes).put(compressed);
    return true;
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
        Math.min(SegmentDecoder.MAX_SERIALIZED_BYTES, zstd.maxPlainBytes(source.remaining()));
    if (payloadBytes < 0 || payloadBytes > maxBytes) {
      throw new ShipmentException(
          Fault.LIMIT,
          format(
              "texts state %,d bytes in %,d compressed ones; the limit is %,d",
              payloadBytes, source.remaining(), maxBytes));
    }
    return zstd.decompress(source, payloadBytes);
  }

  public void close() {
    zstd.close();
  }
}
