package io.drayage.columnar.text;

import static io.drayage.internal.Texts.format;

import io.drayage.codec.SegmentDecoder;
import io.drayage.columnar.stream.BlockCompressor;
import io.drayage.columnar.stream.Malformed;
import io.drayage.columnar.stream.Scheme;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * TextSequence with a byte 0xFF, which UTF-8 does not have, after each; compressed, unless that is
 * not shorter:
 *
 * <pre>
 *   0          4
 *   +----------+-------------------------------------------------------------+
 *   | bytes, b | the texts and their ends: as they are if that are b bytes,  |
 *   | i32      | else a Zstandard frame                                      |
 *   +----------+-------------------------------------------------------------+
 * </pre>
 *
 * Zstandard shortens ends better than lengths, because an end is part of the strings that repeat.
 * Not thread-safe.
 */
final class TerminatedTexts extends TextEncoding {
  private static final byte END = (byte) 0xFF;

  /** Minimum bytes that are worth a frame. */
  private static final int MIN_BYTES = 64;

  private static final int SAMPLE_BYTES = 8 << 10;
  private static final int SAMPLE_RUNS = 4;

  private static final long LOW_BITS = 0x7F7F7F7F7F7F7F7FL;

  private final BlockCompressor zstd;
  private final boolean compresses;
  private byte[] bytes = new byte[0];
  private int[] ends = new int[0];

  /**
   * @param compresses whether to compress the texts
   */
  TerminatedTexts(BlockCompressor zstd, boolean compresses) {
    super(18, "TERMINATED");
    this.zstd = zstd;
    this.compresses = compresses;
  }

  @Override
  @Nullable List<Scheme> write(TextSequence texts, ByteBuffer target) {
    int length = Math.addExact(texts.byteCount(), texts.count());
    int room = target.remaining() - Integer.BYTES;
    if (room < 0) {
      return null;
    }
    terminate(texts, length);
    target.putInt(length);
    if (compresses && length >= MIN_BYTES) {
      ByteBuffer payload = zstd.payload(length).put(bytes, 0, length).flip();
      ByteBuffer compressed = zstd.compress(payload, length - 1);
      if (compressed != null) {
        boolean fits = compressed.remaining() <= room;
        return fits ? put(compressed, target) : null;
      }
    }
    return length <= room ? put(ByteBuffer.wrap(bytes, 0, length), target) : null;
  }

  private static List<Scheme> put(ByteBuffer from, ByteBuffer target) {
    target.put(from);
    return List.of();
  }

  private void terminate(TextSequence texts, int length) {
    bytes = TextSequence.atLeast(bytes, length + TextSequence.SLACK);
    byte[] from = texts.bytes();
    int[] starts = texts.starts();
    int at = 0;
    for (int i = 0; i < texts.count(); i++) {
      int start = starts[i];
      int textBytes = starts[i + 1] - start;
      TextSequence.copy(from, start, bytes, at, textBytes);
      at += textBytes;
      bytes[at++] = END;
    }
  }

  /** Estimates the bytes of texts from a sample. An end counts like any other byte. */
  double estimate(TextSequence texts) {
    int length = texts.byteCount();
    int runs = Math.max(1, Math.min(SAMPLE_RUNS, length / SAMPLE_BYTES));
    int run = Math.min(SAMPLE_BYTES, length);
    ByteBuffer sample = zstd.payload(runs * run);
    for (int i = 0; i < runs; i++) {
      int at = runs == 1 ? 0 : (int) ((long) i * (length - run) / (runs - 1));
      sample.put(texts.bytes(), texts.starts()[0] + at, run);
    }
    ByteBuffer compressed = zstd.compress(sample.flip(), runs * run);
    double share = compressed == null ? 1 : (double) compressed.remaining() / (runs * run);
    return share * ((double) length + texts.count());
  }

  @Override
  TextSequence read(ByteBuffer source, int count, List<Scheme> within) throws ShipmentException {
    Malformed.unlessThere("the length of texts", source, Integer.BYTES);
    int length = source.getInt();
    int there = source.remaining();
    long most = Math.min(SegmentDecoder.MAX_SERIALIZED_BYTES, zstd.maxPlainBytes(there));
    if (length < there || length > most) {
      throw new ShipmentException(
          Fault.LIMIT,
          format("texts state %,d bytes in %,d: expected up to %,d", length, there, most));
    }
    bytes = TextSequence.atLeast(bytes, length + TextSequence.SLACK);
    ByteBuffer payload = length == there ? source : zstd.decompress(source, length);
    payload.get(bytes, 0, length);
    int found = findEnds(length, count);
    if (found != count || (count == 0 ? 0 : ends[count - 1] + 1) != length) {
      throw Malformed.because(
          format("%,d bytes do not hold exactly %,d texts with their ends", length, count));
    }
    return withoutEnds(length, count);
  }

  /**
   * Finds the ends, eight bytes at a time. Eight bytes with at most one end need no branch.
   *
   * @return number of ends; more than {@code count} if there are too many
   */
  private int findEnds(int length, int count) {
    ends = TextSequence.atLeast(ends, count + Long.BYTES);
    Arrays.fill(bytes, length, length + Long.BYTES, (byte) 0);
    int found = 0;
    for (int at = 0; at < length && found <= count; at += Long.BYTES) {
      long ones = endsOf(TextSequence.word(bytes, at));
      ends[found] = at + (Long.numberOfTrailingZeros(ones) >>> 3);
      int several = Long.bitCount(ones);
      for (int i = 1; i < several; i++) {
        ones &= ones - 1;
        ends[found + i] = at + (Long.numberOfTrailingZeros(ones) >>> 3);
      }
      found += several;
    }
    return found;
  }

  /** Returns the highest bit of each byte that is 0xFF. */
  private static long endsOf(long word) {
    return ((word & LOW_BITS) + (LOW_BITS / 0x7F)) & word & ~LOW_BITS;
  }

  private TextSequence withoutEnds(int length, int count) {
    byte[] to = new byte[length - count + TextSequence.SLACK];
    int[] starts = new int[count + 1];
    byte[] from = bytes;
    int at = 0;
    for (int i = 0; i < count; i++) {
      int end = ends[i];
      int textBytes = end - at - i;
      TextSequence.copy(from, at + i, to, at, textBytes);
      at += textBytes;
      starts[i + 1] = at;
    }
    return new TextSequence(to, starts, count);
  }
}
