package io.drayage.bench.columns;

import io.drayage.frame.ShipmentException;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A codec that is compared. Not thread-safe. */
public interface Candidate extends AutoCloseable {
  /**
   * What became of all segments of a column.
   *
   * @param bytes that they take
   * @param encodeNs how long that took
   * @param decodeNs how long it took to get the values back into memory
   */
  record Pass(long bytes, long encodeNs, long decodeNs) {}

  /** As in the rows of the result. */
  String name();

  /**
   * Takes up a column: until the next call, all passes are of it.
   *
   * @return null if it is taken, otherwise why it is not
   */
  @Nullable String take(ColumnSample sample) throws IOException, InterruptedException;

  /**
   * Encodes and decodes all segments of the column, so many times one after the other.
   *
   * @return the bytes of one time, the nanoseconds of all
   */
  Pass pass(int times) throws IOException, InterruptedException;

  /**
   * Encodes and decodes once more.
   *
   * @throws IllegalStateException if what is decoded is not what was encoded
   */
  void verify() throws IOException, InterruptedException;

  /**
   * How the segments of the column are encoded, with the number of segments of each way; none if
   * this codec has no choice.
   */
  default Map<String, Integer> encodings() throws InterruptedException, ShipmentException {
    return Map.of();
  }

  @Override
  void close();
}
