package io.drayage.baseline.stream;

import io.drayage.codec.Compressor;
import io.drayage.codec.SegmentCompressor;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Writes a stream as blocks, for a compressor that knows segments only. Not thread-safe. A block:
 *
 * <pre>
 *   0                 4                      8
 *   +-----------------+----------------------+--------------------------------------------+
 *   | bytes, i32      | stored bytes, i32    | compressed, or as they are if that is no   |
 *   |                 |                      | less; big-endian                           |
 *   +-----------------+----------------------+--------------------------------------------+
 * </pre>
 *
 * A block of 0 bytes ends the stream. A flush does not end a block.
 */
final class BlockOutputStream extends OutputStream {
  /** The most bytes of a block before it is compressed. */
  static final int MAX_BLOCK_BYTES = 1 << 20;

  static final int HEADER_BYTES = 8;

  private final SegmentCompressor compressor;
  private final OutputStream out;
  private final ByteBuffer block = ByteBuffer.allocateDirect(MAX_BLOCK_BYTES);
  private final ByteBuffer compressed = ByteBuffer.allocateDirect(MAX_BLOCK_BYTES);
  private final byte[] copied = new byte[HEADER_BYTES + MAX_BLOCK_BYTES];
  private boolean closed;

  BlockOutputStream(Compressor compressor, OutputStream out) {
    this.compressor = compressor.newSegmentCompressor();
    this.out = out;
  }

  @Override
  public void write(int value) throws IOException {
    block.put((byte) value);
    writeIfFull();
  }

  @Override
  public void write(byte[] source, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, source.length);
    for (int done = 0; done < length; ) {
      int count = Math.min(length - done, block.remaining());
      block.put(source, offset + done, count);
      done += count;
      writeIfFull();
    }
  }

  private void writeIfFull() throws IOException {
    if (!block.hasRemaining()) {
      writeBlock();
    }
  }

  private void writeBlock() throws IOException {
    int bytes = block.flip().remaining();
    compressed.clear().limit(Math.max(0, bytes - 1));
    ByteBuffer stored = block.duplicate();
    if (compressor.compress(block, compressed)) {
      stored = compressed.flip();
    }
    int storedBytes = stored.remaining();
    ByteBuffer.wrap(copied).putInt(bytes).putInt(storedBytes);
    stored.get(copied, HEADER_BYTES, storedBytes);
    out.write(copied, 0, HEADER_BYTES + storedBytes);
    block.clear();
  }

  @Override
  public void flush() throws IOException {
    out.flush();
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try (out;
        compressor) {
      if (block.position() > 0) {
        writeBlock();
      }
      out.write(new byte[HEADER_BYTES]);
    }
  }
}
