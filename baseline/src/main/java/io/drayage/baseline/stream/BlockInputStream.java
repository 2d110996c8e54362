package io.drayage.baseline.stream;

import static io.drayage.internal.Texts.format;

import io.drayage.codec.Compressor;
import io.drayage.codec.SegmentCompressor;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Objects;

/** Reads the blocks of a {@link BlockOutputStream}, in buffers of fixed size. Not thread-safe. */
final class BlockInputStream extends InputStream {
  private static final int MAX_BLOCK_BYTES = BlockOutputStream.MAX_BLOCK_BYTES;

  private final SegmentCompressor compressor;
  private final DataInputStream in;
  private final ByteBuffer stored = ByteBuffer.allocateDirect(MAX_BLOCK_BYTES);
  private final ByteBuffer block = ByteBuffer.allocateDirect(MAX_BLOCK_BYTES).limit(0);
  private final byte[] copied = new byte[MAX_BLOCK_BYTES];
  private boolean ended;

  BlockInputStream(Compressor compressor, InputStream in) {
    this.compressor = compressor.newSegmentCompressor();
    this.in = new DataInputStream(in);
  }

  @Override
  public int read() throws IOException {
    return hasBytes() ? block.get() & 0xFF : -1;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, target.length);
    if (length == 0) {
      return 0;
    }
    if (!hasBytes()) {
      return -1;
    }
    int count = Math.min(length, block.remaining());
    block.get(target, offset, count);
    return count;
  }

  private boolean hasBytes() throws IOException {
    if (!block.hasRemaining() && !ended) {
      readBlock();
    }
    return block.hasRemaining();
  }

  private void readBlock() throws IOException {
    int bytes = in.readInt();
    int storedBytes = in.readInt();
    if (bytes < 0 || bytes > MAX_BLOCK_BYTES || storedBytes < 0 || storedBytes > bytes) {
      throw new ShipmentException(
          Fault.LIMIT,
          format(
              "a block states %,d bytes in %,d stored ones; the limit is %,d",
              bytes, storedBytes, MAX_BLOCK_BYTES));
    }
    ended = bytes == 0;
    in.readFully(copied, 0, storedBytes);
    block.clear().limit(bytes);
    if (storedBytes == bytes) {
      block.put(copied, 0, bytes);
    } else {
      compressor.decompress(stored.clear().put(copied, 0, storedBytes).flip(), block);
    }
    block.flip();
  }

  @Override
  public void close() throws IOException {
    try (in;
        compressor) {
      ended = true;
      block.limit(0);
    }
  }
}
