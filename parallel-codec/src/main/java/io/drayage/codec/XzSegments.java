package io.drayage.codec;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.ShipmentException;
import io.drayage.memory.ByteBufferInputStream;
import io.drayage.memory.ByteBufferOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import org.tukaani.xz.ArrayCache;
import org.tukaani.xz.BasicArrayCache;
import org.tukaani.xz.LZMA2InputStream;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.SingleXZInputStream;
import org.tukaani.xz.UnsupportedOptionsException;
import org.tukaani.xz.XZ;
import org.tukaani.xz.XZOutputStream;

/**
 * LZMA2 in the xz format, in Java. A segment is one xz stream without a check. The library accepts
 * only arrays and streams, so that the bytes are copied once more than with other compressors. The
 * library's large arrays are kept for the next segment.
 */
final class XzSegments implements SegmentCompressor {
  /**
   * A repeated match, which stands for at most 273 bytes, needs 14 binary decisions: 4 for its
   * kind, 2 for the class of its length and 8 for the length. Each needs at least {@code
   * log2(2048/2017)} = 0.02201 bits, since probabilities of 11 bits that adapt by a 32nd stay at 31
   * or above. So no byte stands for more than 273 * 8 / (14 * 0.02201) = 7,088.
   */
  static final int MAX_RATIO = 7_100;

  /** The largest dictionary: a segment has hardly more bytes. */
  private static final int MAX_DICTIONARY_BYTES = 4 << 20;

  private static final int MEMORY_LIMIT_KIB = LZMA2InputStream.getMemoryUsage(MAX_DICTIONARY_BYTES);
  private static final int COPIED_BYTES = 64 << 10;

  private final LZMA2Options options;
  private final ArrayCache cache = new BasicArrayCache();
  private final byte[] copied = new byte[COPIED_BYTES];

  XzSegments(int level) {
    try {
      this.options = new LZMA2Options(level);
      options.setDictSize(Math.min(options.getDictSize(), MAX_DICTIONARY_BYTES));
    } catch (UnsupportedOptionsException e) {
      throw new IllegalArgumentException(format("level %d of xz is refused", level), e);
    }
  }

  @Override
  public boolean compress(ByteBuffer source, ByteBuffer target) {
    try {
      XZOutputStream xz =
          new XZOutputStream(new ByteBufferOutputStream(target), options, XZ.CHECK_NONE, cache);
      while (source.hasRemaining()) {
        int bytes = Math.min(copied.length, source.remaining());
        source.get(copied, 0, bytes);
        xz.write(copied, 0, bytes);
      }
      xz.finish();
      return true;
    } catch (BufferOverflowException e) {
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e); // A buffer has no other failure.
    }
  }

  @Override
  public void decompress(ByteBuffer source, ByteBuffer target) throws ShipmentException {
    Decompression wanted = new Decompression("xz", source.remaining(), target.remaining());
    try (InputStream xz =
        new SingleXZInputStream(
            new ByteBufferInputStream(source), MEMORY_LIMIT_KIB, false, cache)) {
      wanted.requireAll(copy(xz, target));
      if (xz.read() >= 0) {
        throw wanted.failed("more data follows", null);
      }
    } catch (ShipmentException e) {
      throw e;
    } catch (IOException e) {
      throw wanted.failed(e.toString(), e);
    }
    if (source.hasRemaining()) {
      throw wanted.failed(format("%,d bytes follow the data", source.remaining()), null);
    }
  }

  private int copy(InputStream xz, ByteBuffer target) throws IOException {
    int total = 0;
    while (target.hasRemaining()) {
      int bytes = xz.read(copied, 0, Math.min(copied.length, target.remaining()));
      if (bytes < 0) {
        break;
      }
      target.put(copied, 0, bytes);
      total += bytes;
    }
    return total;
  }

  /** Does nothing: no memory outside the heap is held. */
  @Override
  public void close() {}
}
