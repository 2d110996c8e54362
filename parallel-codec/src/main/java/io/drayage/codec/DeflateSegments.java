package io.drayage.codec;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * Deflate of the JDK. A segment is one stream in the zlib format, which ends with its own checksum.
 */
final class DeflateSegments implements SegmentCompressor {
  /**
   * A match of 258 bytes needs at least 2 bits, one for its length and one for its distance: <a
   * href="https://zlib.net/zlib_tech.html">zlib technical details</a>, maximum compression factor.
   */
  static final int MAX_RATIO = 1_032;

  private final Deflater deflater;
  private final Inflater inflater = new Inflater();

  /** A target for surplus bytes. */
  private final byte[] behind = new byte[1];

  DeflateSegments(int level) {
    this.deflater = new Deflater(level);
  }

  @Override
  public boolean compress(ByteBuffer source, ByteBuffer target) {
    try {
      deflater.setInput(source);
      deflater.finish();
      while (!deflater.finished() && target.hasRemaining()) {
        deflater.deflate(target);
      }
      return deflater.finished();
    } finally {
      deflater.reset();
    }
  }

  @Override
  public void decompress(ByteBuffer source, ByteBuffer target) throws ShipmentException {
    Decompression wanted = new Decompression("deflate", source.remaining(), target.remaining());
    try {
      inflater.setInput(source);
      inflate(target, wanted);
    } catch (DataFormatException e) {
      throw wanted.failed(String.valueOf(e.getMessage()), e);
    } finally {
      inflater.reset();
    }
  }

  private void inflate(ByteBuffer target, Decompression wanted)
      throws DataFormatException, ShipmentException {
    int bytes = 0;
    int more = 1;
    while (more > 0 && target.hasRemaining()) {
      more = inflater.inflate(target);
      bytes += more;
    }
    wanted.requireAll(bytes);
    // The checksum may still be unread. Reading it needs a target with room, which stays empty.
    if (!inflater.finished() && inflater.inflate(behind) > 0) {
      throw wanted.failed("more data follows", null);
    }
    if (!inflater.finished()) {
      throw wanted.failed("the end of the data is missing", null);
    }
    if (inflater.getRemaining() > 0) {
      throw wanted.failed(format("%,d bytes follow the data", inflater.getRemaining()), null);
    }
  }

  @Override
  public void close() {
    deflater.end();
    inflater.end();
  }
}
