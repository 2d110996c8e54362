package io.drayage.arrow;

import io.drayage.cargo.RowBits;
import org.apache.arrow.memory.ArrowBuf;
import org.jspecify.annotations.Nullable;

/** Copies bits between buffers of Arrow and sets of rows, 64 at a time, from any bit on. */
final class VectorBits {
  private VectorBits() {}

  /** Returns {@code count} bits from {@code from} on, at most 64, the first one lowest. */
  static long get(ArrowBuf bits, long from, int count) {
    long at = from >>> 3;
    int shift = (int) (from & 7);
    long end = (from + count + 7) >>> 3;
    long word = 0;
    if (at + Long.BYTES <= bits.capacity()) {
      word = bits.getLong(at) >>> shift;
      if (at + Long.BYTES < end) {
        word |= (long) bits.getByte(at + Long.BYTES) << (Long.SIZE - shift);
      }
    } else {
      for (long next = at; next < end; next++) {
        long octet = bits.getByte(next) & 0xFF;
        int place = (int) (next - at) * Byte.SIZE - shift;
        word |= place < 0 ? octet >>> -place : octet << place;
      }
    }
    return word & mask(count);
  }

  /** Returns {@code count} bits from {@code from} on, at most 64, the first one lowest. */
  static long get(RowBits bits, long from, int count) {
    int shift = (int) (from & 63);
    long word = bits.word(from >>> 6) >>> shift;
    if (shift + count > Long.SIZE) {
      word |= bits.word((from >>> 6) + 1) << (Long.SIZE - shift);
    }
    return word & mask(count);
  }

  /** Returns a mask of the lowest {@code count} bits, 1 to 64. */
  static long mask(int count) {
    return -1L >>> (Long.SIZE - count);
  }

  /** Replaces bits {@code 64 * word} to {@code 64 * word + 63}, or up to the end. */
  static void set(ArrowBuf bits, int word, long value) {
    long from = (long) word * Long.BYTES;
    if (from + Long.BYTES <= bits.capacity()) {
      bits.setLong(from, value);
      return;
    }
    for (long at = from; at < bits.capacity(); at++) {
      bits.setByte(at, (byte) (value >>> ((at - from) * Byte.SIZE)));
    }
  }

  /** Copies {@code count} bits from {@code from} on to those from {@code firstRow} on. */
  static void copy(ArrowBuf bits, int from, int count, RowBits to, long firstRow) {
    for (int done = 0; done < count; ) {
      long row = firstRow + done;
      int shift = (int) (row & 63);
      int taken = Math.min(Long.SIZE - shift, count - done);
      long before = to.word(row >>> 6);
      long after =
          (before & ~(mask(taken) << shift)) | (get(bits, (long) from + done, taken) << shift);
      if (after != before) { // A word that is never written may need no memory.
        to.setWord(row >>> 6, after);
      }
      done += taken;
    }
  }

  /** Copies rows of a set to the first bits; without a set, all bits are set. */
  static void fill(ArrowBuf bits, @Nullable RowBits from, long firstRow, int rows) {
    for (long done = 0; done < rows; done += Long.SIZE) { // There are up to 2^31 - 1 rows.
      int count = (int) Math.min(Long.SIZE, rows - done);
      set(
          bits,
          (int) (done / Long.SIZE),
          from == null ? mask(count) : get(from, firstRow + done, count));
    }
  }
}
