package io.drayage.columnar;

/**
 * What writing and reading one value costs, in nanoseconds, with memory that is in no cache and the
 * choice known from earlier segments. Constants, so that the same values are written alike on every
 * machine; measured by {@code EncodingCosts} on a machine of 2026 (docs/columnar-format.md).
 */
final class Costs {
  private static final double RAW_NS_PER_BYTE = 0.105;

  /** Windows of bytes and shorts are made of ints, and made into them again. */
  private static final double NARROWING_NS = 0.4;

  private Costs() {}

  /** Copying a value out of its page and into another. */
  static double rawNsPerValue(int rawWidth) {
    return rawWidth * RAW_NS_PER_BYTE;
  }

  /** The pass of {@link Statistics}, which everything but raw values needs. */
  static double scanNsPerValue(Kind kind) {
    return kind.isWide() ? 0.8 : 0.9;
  }

  /** What an encoding costs beyond that pass. */
  static double nsPerValue(Encoding encoding, Kind kind, int rawWidth) {
    if (encoding == Encoding.RAW) {
      return rawNsPerValue(rawWidth);
    }
    double narrowing = rawWidth < Integer.BYTES ? NARROWING_NS : 0;
    return narrowing + (kind.isWide() ? wideNs(encoding) : narrowNs(encoding));
  }

  private static double narrowNs(Encoding encoding) {
    return switch (encoding) {
      case CONST -> 0.15;
      case FOR -> 0.3;
      case PFOR, DELTA -> 0.8;
      case PDELTA -> 1.45;
      case DELTA2 -> 2;
      case PDELTA2 -> 2.8;
      case RLE -> 1.8;
      case DICT -> 6;
      case ALP -> 4.3;
      default -> 2;
    };
  }

  private static double wideNs(Encoding encoding) {
    return switch (encoding) {
      case CONST -> 0.25;
      case FOR -> 1.7;
      case PFOR, DELTA -> 2.5;
      case DELTA2 -> 2.8;
      case PDELTA, RLE -> 3;
      case PDELTA2 -> 4.2;
      case DICT -> 4.5;
      case ALP -> 5.2;
      case SPLIT -> 7.3;
      case NEAR -> 10;
      default -> 5;
    };
  }
}
