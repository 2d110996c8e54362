package io.drayage.columnar.stream;

import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One encoding of streams of values: estimates what a stream would take, writes its payload and
 * reads it. An instance is used for all streams of one depth, one after the other, and keeps its
 * memory from stream to stream. Not thread-safe.
 *
 * <p>What is written depends on nothing but the values, the facts and the link: the same on every
 * machine that LZ4 has native code for. Its Java code writes other bytes, which are read alike.
 */
public abstract class Encoding {
  /** The most that an id of an encoding of values may be: those above 64 are free. */
  public static final int MAX_ID = 79;

  /** What it costs a value, in nanoseconds, that bytes and shorts are widened and narrowed. */
  private static final double WIDENING_NS = 1.2;

  private final int id;
  private final String name;

  /**
   * @param id the number on the wire, 1 to {@value #MAX_ID}; frozen
   */
  protected Encoding(int id, String name) {
    this.id = id;
    this.name = name;
  }

  public final int id() {
    return id;
  }

  public final String name() {
    return name;
  }

  /** Which of the {@link Statistics} it is estimated by. */
  public int statistics() {
    return Statistics.VALUES;
  }

  /**
   * Whether other segments of a column are written in it without a look at their values, because
   * they would hardly be better in another.
   */
  public boolean isWrittenUnscanned() {
    return true;
  }

  /**
   * What writing and reading a value costs, in nanoseconds, beyond the shortest pass of {@link
   * Statistics}, with memory that is in no cache. Constants, measured once, so that the same values
   * are written alike on every machine.
   */
  public abstract double nsPerValue(Kind kind, int rawWidth);

  /** What it costs besides for a byte that is left of the values, in nanoseconds; a constant. */
  public double nsPerWrittenByte() {
    return 0;
  }

  /** What it costs besides for a stream, in nanoseconds; a constant. */
  public double nsPerStream() {
    return 0;
  }

  /** {@link #nsPerValue} of an encoding of windows of 32 or 64 bits. */
  protected static double widened(Kind kind, int rawWidth, double nsPerInt, double nsPerLong) {
    return kind.isWide() ? nsPerLong : nsPerInt + (rawWidth < Integer.BYTES ? WIDENING_NS : 0);
  }

  /** Tells what it could at best make of a column of which a few runs were seen. */
  public void glimpse(Glimpse glimpse) {}

  /**
   * What {@link #learn} costs for so many values, in nanoseconds, over the chance that it finds
   * something: what it must be able to save.
   */
  public double learnNs(int count, int rawWidth) {
    return 0;
  }

  /** Whether what {@link #learn} tells depends on nothing but which values are equal. */
  public boolean learnsEquality() {
    return false;
  }

  /** What it leaves of values at least, in bytes, as far as a sample tells at once. */
  public double leastBytes(ValueSample sample, Values values) {
    return 0;
  }

  /** What a sample tells about it; null if it does not suit the values. */
  public @Nullable Hint learn(ValueSample sample, Values values) {
    return null;
  }

  /** Adds what a stream would take, unless it does not suit the values. */
  public abstract void estimate(Estimates estimates);

  /**
   * Writes a payload. If the column is settled on this encoding ({@link Facts#isSettledOn}) it must
   * check that the values suit it; else it was chosen for them.
   *
   * @param values at least one
   * @param target little-endian; its position then stands behind the payload
   * @return the streams within; null if the values do not suit: what was written then means nothing
   * @throws java.nio.BufferOverflowException if there is no space for it
   * @throws StreamTooLongException if a stream within is too long
   */
  public abstract @Nullable List<EncodingTree> write(Values values, Facts facts, ByteBuffer target);

  /**
   * Reads a payload that ends at the source's limit; the caller checks that nothing is left. All
   * numbers are checked before memory is allocated by them or a kernel runs with them.
   *
   * @param source from a peer
   * @param count at least one; known to be allowed
   * @return the streams within
   */
  public abstract List<EncodingTree> read(ByteBuffer source, int count, Values sink)
      throws ShipmentException;

  /** Its name. */
  @Override
  public final String toString() {
    return name;
  }
}
