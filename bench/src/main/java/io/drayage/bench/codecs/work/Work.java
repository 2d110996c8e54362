package io.drayage.bench.codecs.work;

import io.drayage.bench.codecs.Combination;
import io.drayage.bench.codecs.Form;
import io.drayage.cargo.ChangeCargo;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;

/** One cargo through one codec in one direction. For one thread. */
public interface Work extends AutoCloseable {
  /**
   * What a combination does. May hold on to {@code cargo}, or to its bytes only.
   *
   * @throws Exception if the bytes to read cannot be made
   */
  static Work of(Direction direction, Combination combination, ChangeCargo cargo) throws Exception {
    boolean serializes = direction == Direction.SERIALIZATION;
    if (combination.equals(Combination.COPY)) {
      return serializes ? new CopyOut(cargo) : new CopyIn(cargo);
    }
    Integer threads = combination.threads();
    if (threads != null && serializes) {
      return new ParallelSerialization(cargo, combination, threads);
    }
    if (combination.form() == Form.SEGMENTS) {
      return serializes
          ? new SegmentSerialization(cargo, combination)
          : new SegmentDeserialization(cargo, combination);
    }
    return serializes
        ? new StreamSerialization(cargo, combination)
        : new StreamDeserialization(cargo, combination);
  }

  /** Does it once: this is what is timed. Returns what must not be optimised away. */
  Object run() throws Exception;

  /**
   * Whether what comes out is what went in. Takes memory and time; for after the measurement.
   *
   * @param digest of the cargo
   * @throws ShipmentException if it is not
   */
  void verify(long digest) throws Exception;

  /** Raw bytes that one run turns. */
  long rawBytes();

  /** Bytes that serializer and compressor make of them. */
  long encodedBytes();

  /** Segments of one run; 0 if it has none. */
  int segments();

  @Override
  void close();

  /** Requires equal digests. */
  static void requireDigest(long expected, long actual) throws ShipmentException {
    if (actual != expected) {
      throw new ShipmentException(
          Fault.DIGEST,
          "the cargo read back has digest %016x, the one written %016x"
              .formatted(actual, expected));
    }
  }
}
