package io.drayage.internal;

import static io.drayage.internal.Texts.format;

/**
 * The CRC32C of joined parts, computed from the CRC32Cs of the parts without reading their bytes. A
 * checksum is a remainder in the field of polynomials over GF(2): appending n bits multiplies it by
 * x to the n.
 */
public final class JoinedChecksum {
  /** The polynomial of CRC32C, its lowest power in the highest bit. */
  private static final int POLYNOMIAL = 0x82F63B78;

  private static final int ONE = 1 << 31;
  private static final int BITS_PER_BYTE_LOG2 = 3;

  /** x to the power of 2 to the power of the index. */
  private static final int[] POWERS = new int[31];

  static {
    POWERS[0] = ONE >>> 1;
    for (int i = 1; i < POWERS.length; i++) {
      POWERS[i] = product(POWERS[i - 1], POWERS[i - 1]);
    }
  }

  private JoinedChecksum() {}

  /**
   * The checksum of A followed by B.
   *
   * @param first the checksum of A
   * @param second the checksum of B
   * @param secondBytes the length of B: 0 to 2^28 - 1
   */
  public static int of(int first, int second, int secondBytes) {
    return extended(first, secondBytes) ^ second;
  }

  /**
   * The checksum of B: the inverse of {@link #of}.
   *
   * @param first the checksum of A
   * @param both the checksum of A followed by B
   */
  public static int ofSecond(int first, int both, int secondBytes) {
    return extended(first, secondBytes) ^ both;
  }

  private static int extended(int checksum, int bytes) {
    if (bytes < 0 || bytes >= 1 << (31 - BITS_PER_BYTE_LOG2)) {
      throw new IllegalArgumentException(format("%,d bytes cannot be joined", bytes));
    }
    int product = checksum;
    int power = BITS_PER_BYTE_LOG2;
    for (int rest = bytes; rest != 0; rest >>>= 1, power++) {
      if ((rest & 1) != 0) {
        product = product(POWERS[power], product);
      }
    }
    return product;
  }

  private static int product(int a, int b) {
    int product = 0;
    int shifted = b;
    for (int rest = a; rest != 0; rest <<= 1) {
      product ^= shifted & (rest >> 31);
      shifted = shifted >>> 1 ^ (POLYNOMIAL & -(shifted & 1));
    }
    return product;
  }
}
