package io.drayage.columnar.text;

import static io.drayage.internal.Texts.format;

import io.drayage.codec.SegmentDecoder;
import io.drayage.columnar.stream.Malformed;
import io.drayage.columnar.stream.Streams;
import io.drayage.columnar.stream.Zstandard;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The {@link TextBytes} of texts, compressed, or as they are if that is not shorter:
 *
 * <pre>
 *   0       4             8
 *   +-------+-------------+--------------------------------------+
 *   | bytes | compressed, | the bytes as a Zstandard frame of c; |
 *   | i32   | c: i32      | as they are if c is their number     |
 *   +-------+-------------+--------------------------------------+
 * </pre>
 *
 * Not thread-safe.
 */
final class TerminatedTexts implements TextEncoding {
  static final int ID = 28;

  private static final int HEADER_BYTES = 8;

  /** Fewer bytes than this are not worth a frame. */
  private static final int MIN_BYTES = 64;

  private static final int SAMPLE_BYTES = 8 << 10;
  private static final int SAMPLE_RUNS = 4;

  private final TextBytes texts;
  private final Zstandard zstd;
  private byte[] bytes = new byte[0];
  private int[] ends = new int[0];

  /**
   * @param texts of the segment that is written
   */
  TerminatedTexts(TextBytes texts, Zstandard zstd) {
    this.texts = texts;
    this.zstd = zstd;
  }

  @Override
  public int id() {
    return ID;
  }

  @Override
  public boolean write(@Nullable String[] of, int count, Streams streams, ByteBuffer target) {
    try {
      return texts.fill(count) && write(texts.bytes(), texts.starts()[count], count, target);
    } catch (BufferOverflowException e) {
      return false;
    }
  }

  /** Writes the first bytes, which are those of texts; false if a 0 is within one. */
  boolean write(byte[] from, int length, int count, ByteBuffer target) {
    if (!TextBytes.areTold(from, length, count)) {
      return false;
    }
    target.putInt(length);
    ByteBuffer compressed =
        length < MIN_BYTES
            ? null
            : zstd.compress(zstd.payload(length).put(from, 0, length).flip(), length - 1);
    if (compressed == null) {
      target.putInt(length).put(from, 0, length);
    } else {
      target.putInt(compressed.remaining()).put(compressed);
    }
    return true;
  }

  /** About how many bytes the texts, which are filled in, take: as some of them do. */
  double estimate(int count) {
    int length = texts.starts()[count];
    int runs = Math.min(SAMPLE_RUNS, length / SAMPLE_BYTES + 1);
    int run = Math.min(SAMPLE_BYTES, length);
    ByteBuffer sample = zstd.payload(runs * run);
    for (int i = 0; i < runs; i++) {
      int at = runs == 1 ? 0 : (int) ((long) i * (length - run) / (runs - 1));
      sample.put(texts.bytes(), at, run);
    }
    ByteBuffer compressed = zstd.compress(sample.flip(), runs * run);
    double share = compressed == null ? 1 : (double) compressed.remaining() / (runs * run);
    return share * length;
  }

  @Override
  public void read(ByteBuffer source, int count, Streams streams, @Nullable String[] target)
      throws ShipmentException {
    readTexts(source, count, target);
    Malformed.unlessExactly("the end of the texts", source, 0);
  }

  /** Reads texts, which something may follow. */
  void readTexts(ByteBuffer source, int count, @Nullable String[] target) throws ShipmentException {
    Malformed.unlessThere("the lengths of texts", source, HEADER_BYTES);
    int length = source.getInt();
    int compressedBytes = source.getInt();
    if (compressedBytes < 0 || compressedBytes > source.remaining() || length < compressedBytes) {
      throw Malformed.because(
          format(
              "%,d bytes of texts in %,d, of which there are %,d",
              length, compressedBytes, source.remaining()));
    }
    requireAllowed(length, compressedBytes, zstd);
    if (bytes.length < length + TextBytes.SLACK) {
      bytes = new byte[length + TextBytes.SLACK];
    }
    if (compressedBytes == length) {
      source.get(bytes, 0, length);
    } else {
      ByteBuffer frame = source.slice(source.position(), compressedBytes);
      zstd.decompress(frame, length).get(bytes, 0, length);
      source.position(source.position() + compressedBytes);
    }
    makeTexts(length, count, target);
  }

  /** Checks, before memory is set aside, what compressed bytes are said to stand for. */
  static void requireAllowed(int length, int compressedBytes, Zstandard zstd)
      throws ShipmentException {
    long most = Math.min(SegmentDecoder.MAX_SERIALIZED_BYTES, zstd.maxPlainBytes(compressedBytes));
    if (length < 0 || length > most) {
      throw new ShipmentException(
          Fault.LIMIT,
          format(
              "texts state %,d bytes in %,d compressed ones; the limit is %,d",
              length, compressedBytes, most));
    }
  }

  private void makeTexts(int length, int count, @Nullable String[] target)
      throws ShipmentException {
    int found = findEnds(length, count);
    if (found != count || (count == 0 ? 0 : ends[count - 1] + 1) != length) {
      throw Malformed.because(
          format("%,d bytes hold other than %,d texts, each with a 0 behind it", length, count));
    }
    byte[] from = bytes;
    int start = 0;
    for (int i = 0; i < count; i++) {
      int end = ends[i];
      target[i] = text(from, start, end - start);
      start = end + 1;
    }
  }

  /**
   * Where the zeros are, eight bytes at a time and, as long as these have one at most, without a
   * branch.
   *
   * @return how many there are; one more than wanted if there are too many
   */
  private int findEnds(int length, int count) {
    if (ends.length < count + Long.BYTES) {
      ends = new int[count + Long.BYTES];
    }
    Arrays.fill(bytes, length, length + TextBytes.SLACK, TextBytes.NULL);
    int found = 0;
    for (int at = 0; at < length && found <= count; at += Long.BYTES) {
      long zeros = TextBytes.zerosOf((long) TextBytes.LONGS.get(bytes, at));
      ends[found] = at + (Long.numberOfTrailingZeros(zeros) >>> 3);
      int several = Long.bitCount(zeros);
      for (int i = 1; i < several; i++) {
        zeros &= zeros - 1;
        ends[found + i] = at + (Long.numberOfTrailingZeros(zeros) >>> 3);
      }
      found += several;
    }
    return found;
  }

  private static @Nullable String text(byte[] from, int start, int length)
      throws ShipmentException {
    int first = from[start];
    if (first == TextBytes.WIDE) {
      return new String(from, start + 1, length - 1, StandardCharsets.UTF_8);
    }
    if (first == TextBytes.NULL) {
      Malformed.unlessWithin("bytes of a null", length, 1, 1);
      return null;
    }
    return new String(from, start, length, StandardCharsets.ISO_8859_1);
  }
}
