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

  private static final double NARROW_NS_PER_BYTE = 0.1;
  private static final double REPEAT_NS_PER_BYTE = 0.1;
  private static final double RUNS_NS = 0.3;
  private static final double RUNS_NS_PER_BYTE = 0.1;

  private Costs() {}

  /** Copying a value out of its page and into another. */
  static double rawNsPerValue(int rawWidth) {
    return rawWidth * RAW_NS_PER_BYTE;
  }

  /** The shortest pass of {@link Statistics}: everything but raw values needs one. */
  static double scanNsPerValue() {
    return 0.5;
  }

  /** What {@link Encoding#RLE} costs besides for each run: its place and its value. */
  static double nsPerRun() {
    return 8;
  }

  /** What {@link Encoding#REPEAT} costs besides for each exception. */
  static double nsPerException() {
    return 30;
  }

  /** What an encoding costs beyond that pass. */
  static double nsPerValue(Encoding encoding, Kind kind, int rawWidth) {
    if (encoding == Encoding.RAW) {
      return rawNsPerValue(rawWidth);
    }
    if (encoding == Encoding.NARROW) {
      return rawWidth * NARROW_NS_PER_BYTE;
    }
    if (encoding == Encoding.REPEAT) {
      return rawWidth * REPEAT_NS_PER_BYTE;
    }
    if (encoding == Encoding.RLE) {
      return RUNS_NS + rawWidth * RUNS_NS_PER_BYTE;
    }
    double narrowing = rawWidth < Integer.BYTES ? NARROWING_NS : 0;
    return narrowing + (kind.isWide() ? wideNs(encoding) : narrowNs(encoding));
  }

  private static double narrowNs(Encoding encoding) {
    return switch (encoding) {
      case CONST -> 0.15;
      case FOR -> 0.4;
      case PFOR -> 1;
      case DELTA -> 1.2;
      case PDELTA -> 2.2;
      case DICT, ALP -> 4.5;
      default -> 2;
    };
  }

  private static double wideNs(Encoding encoding) {
    return switch (encoding) {
      case CONST -> 0.3;
      case FOR -> 1.4;
      case PFOR -> 2.5;
      case DELTA -> 2.8;
      case PDELTA -> 3.4;
      case DICT -> 4;
      case ALP -> 5;
      default -> 10;
    };
  }
}
