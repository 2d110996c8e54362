package io.drayage.columnar.stream;

import io.drayage.codec.Compressor;
import io.drayage.codec.ScratchBuffer;
import io.drayage.codec.SegmentCompressor;
import io.drayage.frame.ShipmentException;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Compresses and decompresses payloads, and owns the memory for that. What it gives lasts until the
 * next call. Not thread-safe.
 */
public final class BlockCompressor implements AutoCloseable {
  private final Compressor kind;
  private @Nullable SegmentCompressor compressor;
  private final ScratchBuffer plain = new ScratchBuffer();
  private final ScratchBuffer scratch = new ScratchBuffer();
  private final ScratchBuffer copied = new ScratchBuffer();

  /**
   * @param kind of the level that is written with
   */
  public BlockCompressor(Compressor kind) {
    this.kind = kind;
  }

  /** An empty little-endian buffer of so many bytes, for a payload that is to be compressed. */
  public ByteBuffer payload(int maxBytes) {
    return plain.ofBytes(maxBytes);
  }

  /**
   * A payload in its compressed form; null if that is longer than {@code maxBytes}.
   *
   * @param payload a direct buffer; stays as it is
   */
  public @Nullable ByteBuffer compress(ByteBuffer payload, int maxBytes) {
    ByteBuffer compressed = scratch.ofBytes(maxBytes);
    return compressor().compress(payload.duplicate(), compressed) ? compressed.flip() : null;
  }

  /**
   * Writes a payload in its compressed form.
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

  /** The most bytes that so many compressed ones may stand for. */
  public long maxPlainBytes(int compressedBytes) {
    return (long) compressedBytes * kind.maxRatio();
  }

  /**
   * What the source's remaining bytes stand for.
   *
   * @param plainBytes how many that are: known to be allowed
   * @throws ShipmentException {@code DECODE} if they are no such bytes
   */
  public ByteBuffer decompress(ByteBuffer source, int plainBytes) throws ShipmentException {
    ByteBuffer payload = scratch.ofBytes(plainBytes);
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

  /** Made when it is first needed: most columns never need it. */
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
