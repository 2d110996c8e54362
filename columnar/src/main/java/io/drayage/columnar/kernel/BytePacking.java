package io.drayage.columnar.kernel;

import java.util.Arrays;

/**
 * Bytes of at most 16 different values, packed 8, 4 or 2 in a byte: the place of each among the
 * values, the first one in the lowest bits. The last byte is filled up with 0. Not thread-safe.
 */
public final class BytePacking {
  /** The most values. */
  public static final int MAX_VALUES = 16;

  private static final int MASK = HuffmanCode.SYMBOLS - 1;

  /** A code of its own loses least to one of a bit at least if no value has so much of all. */
  private static final double MAX_SHARE = 0.4;

  private final byte[] packed;
  private final byte[] places = new byte[HuffmanCode.SYMBOLS];

  /** What each byte is unpacked to, the first value in the lowest byte. */
  private final long[] unpacked = new long[HuffmanCode.SYMBOLS];

  private byte[] values = new byte[0];
  private int perByte;

  /**
   * @param maxCount the most bytes that are packed
   */
  public BytePacking(int maxCount) {
    this.packed = new byte[(maxCount + 1) / 2];
  }

  /**
   * Whether bytes that have this code may become shorter; if so, {@link #pack} has their values.
   */
  public boolean suits(HuffmanCode code, int count) {
    if (code.symbols() > MAX_VALUES || code.commonCount() < MAX_SHARE * count) {
      return false;
    }
    values = new byte[code.symbols()];
    int found = 0;
    for (int s = 0; s < HuffmanCode.SYMBOLS; s++) {
      if (code.lengths()[s] != 0) {
        places[s] = (byte) found;
        values[found++] = (byte) s;
      }
    }
    perByte = perByte(found);
    return true;
  }

  private static int perByte(int values) {
    return values <= 2 ? 8 : values <= 4 ? 4 : 2;
  }

  /** The values, ascending without their sign. */
  public byte[] values() {
    return values;
  }

  /** How many are in a byte. */
  public int perByte() {
    return perByte;
  }

  /** What was packed, or the place of what is to be unpacked. */
  public byte[] packed() {
    return packed;
  }

  /** Packs bytes; how many {@link #packed} then has. */
  public int pack(byte[] bytes, int count) {
    int number = (count + perByte - 1) / perByte;
    int bits = Byte.SIZE / perByte;
    Arrays.fill(packed, 0, number, (byte) 0);
    for (int i = 0; i < count; i++) {
      packed[i / perByte] |= (byte) (places[bytes[i] & MASK] << (i % perByte * bits));
    }
    return number;
  }

  /** Takes the values of {@code count} packed bytes; how many these are. */
  public int take(byte[] source, int from, int number, int count) {
    values = Arrays.copyOfRange(source, from, from + number);
    perByte = perByte(number);
    return (count + perByte - 1) / perByte;
  }

  /** Unpacks {@link #packed}; a place without a value is that of the last one. */
  public void unpack(byte[] bytes, int count) {
    int bits = Byte.SIZE / perByte;
    int mask = (1 << bits) - 1;
    for (int b = 0; b < unpacked.length; b++) {
      long all = 0;
      for (int i = perByte - 1; i >= 0; i--) {
        int place = Math.min(values.length - 1, (b >>> (i * bits)) & mask);
        all = (all << Byte.SIZE) | (values[place] & MASK);
      }
      unpacked[b] = all;
    }
    int at = 0;
    int from = 0;
    for (; at <= count - Long.BYTES; at += perByte) {
      Tans.LONGS.set(bytes, at, unpacked[packed[from++] & MASK]);
    }
    for (; at < count; at++) {
      int shift = at % perByte * Byte.SIZE;
      bytes[at] = (byte) (unpacked[packed[at / perByte] & MASK] >>> shift);
    }
  }
}
