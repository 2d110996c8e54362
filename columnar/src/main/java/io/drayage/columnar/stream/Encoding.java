package io.drayage.columnar.stream;

import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An encoding of streams of values: estimates a stream, writes its payload and reads it. An
 * instance is used for all streams of one depth, one after the other, and keeps its memory from
 * stream to stream. Not thread-safe.
 *
 * <p>The written bytes depend only on the values, the scheme and the link. They are equal on every
 * machine with native code of LZ4. LZ4's Java code writes other bytes, which are read alike.
 */
public abstract class Encoding {
  /** Maximum id of an encoding of values; ids above 64 are free. */
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

  /** The fixed cost of a stream, in nanoseconds. */
  public double streamNs() {
    return costs.stream();
  }

  /** The cost of an estimate, divided by the chance that the encoding is chosen, in nanoseconds. */
  public double estimateNs(int count, int rawWidth) {
    return costs.estimate();
  }

  /** Minimum bytes of a stream in this encoding, before it is estimated. */
  public double leastBytes(Analysis analysis) {
    return 0;
  }

  /** Estimates a stream; null if the encoding does not suit it. */
  public abstract @Nullable Estimate estimate(Analysis analysis);

  /**
   * Writes a payload.
   *
   * @param values at least one, which may suit the encoding or not
   * @param scheme parameters, and the schemes of inner streams if they are known: from an estimate,
   *     or from a similar stream
   * @param target little-endian; its position is moved behind the payload
   * @return the inner streams; null if the values do not suit: the written bytes then mean nothing
   * @throws java.nio.BufferOverflowException if there is no space for it
   * @throws StreamTooLongException if an inner stream is too long
   */
  public abstract @Nullable List<Scheme> write(Values values, Scheme scheme, ByteBuffer target);

  /**
   * Reads a payload that ends at the source's limit; the caller checks that nothing is left. All
   * numbers are checked before they are used for memory or in a kernel.
   *
   * @param source from a peer
   * @param count at least one; checked by the caller
   * @return the inner streams
   */
  public abstract List<Scheme> read(ByteBuffer source, int count, ValueSink sink)
      throws ShipmentException;

  /** The name of the encoding. */
  @Override
  public final String toString() {
    return name;
  }
}
