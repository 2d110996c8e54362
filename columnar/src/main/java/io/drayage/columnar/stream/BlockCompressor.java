package io.drayage.columnar.stream;

import io.drayage.codec.Compressor;
import io.drayage.codec.ScratchBuffer;
import io.drayage.codec.SegmentCompressor;
import io.drayage.frame.ShipmentException;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Compresses and decompresses payloads, and owns the memory for that. Results are valid until the
 * next call. Not thread-safe.
 */
public final class BlockCompressor implements AutoCloseable {
  private final Compressor kind;
  private @Nullable SegmentCompressor compressor;
  private final ScratchBuffer plain = new ScratchBuffer();
  private final ScratchBuffer scratch = new ScratchBuffer();
  private final ScratchBuffer copied = new ScratchBuffer();

  /**
   * @param kind the compressor, with the level for writing
   */
  public BlockCompressor(Compressor kind) {
    this.kind = kind;
  }

  /** Returns an empty little-endian buffer of so many bytes, for a payload to be compressed. */
  public ByteBuffer payload(int maxBytes) {
    return plain.ofBytes(maxBytes);
  }

  /**
   * Compresses a payload; null if the result is longer than {@code maxBytes}.
   *
   * @param payload a direct buffer; stays unchanged
   */
  public @Nullable ByteBuffer compress(ByteBuffer payload, int maxBytes) {
    ByteBuffer compressed = scratch.ofBytes(maxBytes);
    return compressor().compress(payload.duplicate(), compressed) ? compressed.flip() : null;
  }

  /**
   * Writes a compressed payload.
   *
   * @throws BufferOverflowException if there is no space for it
   */
  public void write(ByteBuffer payload, ByteBuffer target) {
    ByteBuffer compressed = compress(payload, target.remaining());
    if (compressed == null) {
      throw new BufferOverflowException();
    }
    target.put(compressed);
  }

  /** Maximum plain bytes of so many compressed ones. */
  public long maxPlainBytes(int compressedBytes) {
    return (long) compressedBytes * kind.maxRatio();
  }

  /**
   * Decompresses the source's remaining bytes.
   *
   * @param plainBytes number of plain bytes, which the caller has checked
   * @throws ShipmentException {@code DECODE} if the source has no such bytes
   */
  public ByteBuffer decompress(ByteBuffer source, int plainBytes) throws ShipmentException {
    ByteBuffer payload = scratch.ofBytes(plainBytes);
    compressor().decompress(direct(source), payload);
    source.position(source.limit());
    return payload.flip();
  }

  /** Native code reads at addresses, so bytes on the heap are copied first. */
  private ByteBuffer direct(ByteBuffer bytes) {
    if (bytes.isDirect()) {
      return bytes;
    }
    return copied.ofBytes(bytes.remaining()).put(bytes.duplicate()).flip();
  }

  /** Returns the compressor, created on first use: most columns never need it. */
  private SegmentCompressor compressor() {
    SegmentCompressor made = compressor;
    if (made == null) {
      made = kind.newSegmentCompressor();
      compressor = made;
    }
    return made;
  }

  @Override
  public void close() {
    SegmentCompressor made = compressor;
    compressor = null;
    if (made != null) {
      made.close();
    }
  }
}
