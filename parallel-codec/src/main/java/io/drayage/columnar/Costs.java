package io.drayage.columnar;

/**
 * What writing and reading one value costs, in nanoseconds, with memory that is in no cache.
 * Constants, so that the same values are written alike on every machine; measured once, on a
 * machine of 2026 (docs/columnar-format.md).
 */
final class Costs {
  private Costs() {}

  static double nsPerValue(Encoding encoding, boolean wide) {
    return switch (encoding) {
      case RAW -> wide ? 1.6 : 0.8;
      case CONST -> wide ? 0.8 : 0.4;
      case FOR -> wide ? 2.5 : 1.5;
      case PFOR -> wide ? 4 : 3;
      case DELTA -> wide ? 3 : 2.2;
      case PDELTA -> wide ? 5 : 4;
      case DELTA2, PDELTA2 -> wide ? 7 : 6;
      case RLE -> wide ? 4 : 3.5;
      case DICT -> 5;
      case ALP -> 6;
      case NEAR -> 10;
      case SPLIT -> 7;
      default -> 4;
    };
  }
}
