package io.drayage.bench.columns;

import io.drayage.frame.ShipmentException;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A codec that is compared. Not thread-safe. */
public interface Candidate extends AutoCloseable {
  /**
   * The result for all segments of a column.
   *
   * @param bytes bytes of the encoded segments
   * @param encodeNs time of the encoding
   * @param decodeNs time until the values are in memory again
   */
  record Pass(long bytes, long encodeNs, long decodeNs) {}

  /** Returns the name in the rows of the result. */
  String name();

  /**
   * Accepts a column: until the next call, all passes are for this column.
   *
   * @return null if it is accepted, otherwise the reason why not
   */
  @Nullable String take(ColumnSample sample) throws IOException, InterruptedException;

  /**
   * Encodes and decodes all segments of the column, {@code times} times in a row.
   *
   * @return the bytes of one time, the nanoseconds of all
   */
  Pass pass(int times) throws IOException, InterruptedException;

  /**
   * Encodes and decodes once more.
   *
   * @throws IllegalStateException if the decoded values differ from the encoded ones
   */
  void verify() throws IOException, InterruptedException;

  /**
   * Returns the encodings of the column's segments, with their numbers of segments; empty if this
   * codec has no choice.
   */
  default Map<String, Integer> encodings() throws InterruptedException, ShipmentException {
    return Map.of();
  }

  @Override
  void close();
}
