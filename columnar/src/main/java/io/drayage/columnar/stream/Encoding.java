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
 * <p>What is written depends on nothing but the values, the scheme and the link: the same on every
 * machine that LZ4 has native code for. Its Java code writes other bytes, which are read alike.
 */
public abstract class Encoding {
  /** The most that an id of an encoding of values may be: those above 64 are free. */
  public static final int MAX_ID = 79;

  private final int id;
  private final String name;
  private final Costs costs;

  /**
   * @param id the number on the wire, 1 to {@value #MAX_ID}; frozen
   * @param name with a line in {@link Costs}
   */
  protected Encoding(int id, String name) {
    this.id = id;
    this.name = name;
    this.costs = Costs.of(name);
  }

  public final int id() {
    return id;
  }

  public final String name() {
    return name;
  }

  public final Costs costs() {
    return costs;
  }

  /** What a stream costs, however short it is, in nanoseconds. */
  public double streamNs() {
    return costs.stream();
  }

  /** What an estimate costs, over the chance that the encoding is then chosen, in nanoseconds. */
  public double estimateNs(int count, int rawWidth) {
    return costs.estimate();
  }

  /** The least that it may leave of a stream, in bytes, before it is estimated. */
  public double leastBytes(Analysis analysis) {
    return 0;
  }

  /** What a stream would take; null if the encoding does not suit it. */
  public abstract @Nullable Estimate estimate(Analysis analysis);

  /**
   * Writes a payload.
   *
   * @param values at least one, which may suit the encoding or not
   * @param scheme its parameters, and how to write the streams within, if that is known: an
   *     estimate's, or that of a stream that was like this
   * @param target little-endian; its position then stands behind the payload
   * @return the streams within; null if the values do not suit: what was written then means nothing
   * @throws java.nio.BufferOverflowException if there is no space for it
   * @throws StreamTooLongException if a stream within is too long
   */
  public abstract @Nullable List<Scheme> write(Values values, Scheme scheme, ByteBuffer target);

  /**
   * Reads a payload that ends at the source's limit; the caller checks that nothing is left. All
   * numbers are checked before memory is allocated by them or a kernel runs with them.
   *
   * @param source from a peer
   * @param count at least one; known to be allowed
   * @return the streams within
   */
  public abstract List<Scheme> read(ByteBuffer source, int count, ValueSink sink)
      throws ShipmentException;

  /** Its name. */
  @Override
  public final String toString() {
    return name;
  }
}
