package io.drayage.columnar.stream;

/**
 * What a few runs of the values of a column tell, and what encodings could at best make of it. Not
 * thread-safe; reused.
 */
public final class Glimpse {
  /** Values in a run. */
  public static final int RUN_VALUES = 128;

  private final double nsPerByte;
  private final Statistics statistics = new Statistics();
  private Kind kind = Kind.INT;
  private int rawWidth;
  private int runs;
  private int changes;
  private long bits;
  private long differenceBits;
  private double seenNs;
  private double unseenNs;

  public Glimpse(double nsPerByte) {
    this.nsPerByte = nsPerByte;
  }

  /** Begins with another column. */
  public void begin(Kind newKind, int newRawWidth) {
    kind = newKind;
    rawWidth = newRawWidth;
    runs = 0;
    changes = 0;
    bits = 0;
    differenceBits = 0;
    seenNs = Double.MAX_VALUE;
    unseenNs = Double.MAX_VALUE;
  }

  /** Looks at a run of {@value #RUN_VALUES} values. */
  public void look(Values values) {
    statistics.scan(values);
    runs++;
    changes += statistics.runs() - 1;
    bits += statistics.width(0, 0);
    differenceBits += statistics.width(0, 1);
  }

  public Kind kind() {
    return kind;
  }

  public int rawWidth() {
    return rawWidth;
  }

  /** How many values were not the one before. */
  public double changeShare() {
    return (double) changes / (runs * RUN_VALUES);
  }

  /** The bytes that the range of a run takes for each value. */
  public double rangeBytes() {
    return (double) bits / runs / Byte.SIZE;
  }

  /** The bytes that the range of the differences within a run takes for each value. */
  public double differenceBytes() {
    return (double) differenceBits / runs / Byte.SIZE;
  }

  /** Tells the bytes that a value would take, as far as the runs show, and other costs. */
  public void add(Encoding encoding, double bytes, double moreNs) {
    seenNs = Math.min(seenNs, ns(encoding, bytes) + moreNs);
  }

  /** Tells that an encoding may suit although a few runs do not show it. */
  public void addUnseen(Encoding encoding) {
    unseenNs = Math.min(unseenNs, ns(encoding, 0));
  }

  private double ns(Encoding encoding, double bytes) {
    return encoding.nsPerValue(kind, rawWidth) + nsPerByte * bytes;
  }

  /** The least that a value may cost in an encoding about which the runs tell something. */
  public double seenNs() {
    return seenNs;
  }

  /** The least that it may cost in another. */
  public double unseenNs() {
    return unseenNs;
  }
}
