package io.drayage.columnar;

/**
 * What writing and reading one value costs beyond looking at it, in nanoseconds, with memory that
 * is in no cache. Constants, so that the same values are written alike on every machine; measured
 * once, on a machine of 2026 (docs/columnar-format.md).
 */
final class Costs {
  private Costs() {}

  static double nsPerValue(Encoding encoding, boolean wide) {
    return switch (encoding) {
      case RAW -> wide ? 1.2 : 0.6;
      case CONST -> wide ? 0.6 : 0.3;
      case FOR -> wide ? 1.6 : 0.8;
      case PFOR -> wide ? 2.6 : 1.8;
      case DELTA -> wide ? 2 : 1.1;
      case PDELTA -> wide ? 2.6 : 1.8;
      case DELTA2, PDELTA2 -> wide ? 5 : 4;
      case RLE -> wide ? 3 : 2.6;
      case DICT -> wide ? 6 : 5;
      case ALP -> 7;
      case NEAR -> 10;
      case SPLIT -> 7;
      default -> 4;
    };
  }
}
