package io.drayage.columnar;

import org.jspecify.annotations.Nullable;

/** The encodings of streams. The numbers are frozen. */
public enum Encoding {
  /** Values as they are. */
  RAW(1),
  /** One value for all. */
  CONST(2),
  /** What values exceed a reference by, packed. */
  FOR(3),
  /** The same, but for some that are too far from it. */
  PFOR(4),
  /** Differences between neighbours, as {@link #FOR}. */
  DELTA(5),
  /** Differences between neighbours, as {@link #PFOR}. */
  PDELTA(6),
  /** Where a new value begins, and the values. */
  RLE(9),
  /** The values there are, and which of them stands where. */
  DICT(10),
  /** Decimals as integers. */
  ALP(11),
  /** What is not what stands a distance before it. */
  REPEAT(15),
  /** As {@link #FOR}, for bytes and shorts as they are. */
  NARROW(20),
  /** No bit is set. */
  EMPTY(32),
  /** All bits are set. */
  FULL(33),
  /** The lengths of runs of equal bits. */
  RUNS(34),
  /** The distances between set bits. */
  GAPS(35),
  /** The distances between clear bits. */
  COMPLEMENT_GAPS(36),
  /** Bits as they are. */
  BITS(37);

  private static final @Nullable Encoding[] BY_ID = new Encoding[64];

  static {
    for (Encoding encoding : values()) {
      BY_ID[encoding.id] = encoding;
    }
  }

  private final int id;

  Encoding(int id) {
    this.id = id;
  }

  /** The frozen number on the wire. */
  public int id() {
    return id;
  }

  /** The encoding with this number, or null. */
  static @Nullable Encoding ofId(int id) {
    return id < 0 || id >= BY_ID.length ? null : BY_ID[id];
  }

  /** How often differences are taken: 0 or 1. */
  int order() {
    return this == DELTA || this == PDELTA ? 1 : 0;
  }

  /** What of the {@link Statistics} it is chosen and written by. */
  int statistics() {
    return switch (this) {
      case RAW -> 0;
      case DELTA, PDELTA -> Statistics.DIFFERENCES;
      case RLE -> Statistics.ALL;
      default -> Statistics.VALUES;
    };
  }

  /**
   * Whether it is written without {@link Statistics}, so that a column can be known to need none.
   */
  boolean needsNoScan() {
    return switch (this) {
      case CONST, RLE, DICT, ALP, REPEAT, NARROW -> true;
      default -> false;
    };
  }

  boolean isPatched() {
    return this == PFOR || this == PDELTA;
  }
}
