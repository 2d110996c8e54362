package io.drayage.bench.codecs;

import static io.drayage.internal.Texts.format;

import io.drayage.baseline.stream.StudyTexts;
import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;

/** One cargo through one codec in one direction, repeatedly. Not thread-safe. */
public abstract class Work implements AutoCloseable {
  private final long rawBytes;
  private long encodedBytes;
  private int segments;

  /**
   * @param rawBytes raw bytes of one run
   */
  Work(long rawBytes) {
    this.rawBytes = rawBytes;
  }

  /**
   * Creates the work of a combination. May retain {@code cargo}, or only its bytes.
   *
   * @throws Exception if the bytes to read cannot be made
   */
  public static Work of(Direction direction, Combination combination, ChangeCargo cargo)
      throws Exception {
    if (combination.equals(Combination.COPY)) {
      return new CopyWork(direction, cargo);
    }
    if (direction == Direction.SERIALIZATION) {
      StudyTexts.prepare(combination.newSerializer(), cargo);
    }
    if (combination.form() != Form.SEGMENTS) {
      return new StreamWork(direction, combination, cargo);
    }
    if (direction == Direction.DESERIALIZATION) {
      return new SegmentDeserialization(cargo, combination);
    }
    Integer threads = combination.threads();
    return threads == null
        ? new SegmentSerialization(cargo, combination)
        : new SenderSerialization(cargo, combination, threads);
  }

  /** Does the timed work once. Returns a result that must not be optimised away. */
  public abstract Object run() throws Exception;

  /**
   * Checks that a cargo survives the round trip. Needs memory and time; for after the measurement.
   *
   * @param digest of the cargo
   * @throws ShipmentException if the digest differs
   */
  public abstract void verify(long digest) throws Exception;

  public final long rawBytes() {
    return rawBytes;
  }

  /** Bytes that serializer and compressor make of the raw bytes. */
  public final long encodedBytes() {
    return encodedBytes;
  }

  /** Segments of one run; 0 if it has none. */
  public final int segments() {
    return segments;
  }

  /** Sets the figures of the last run. */
  final void encoded(long bytes, int inSegments) {
    encodedBytes = bytes;
    segments = inSegments;
  }

  @Override
  public void close() {}

  /** Requires that {@code actual} has this digest. */
  static void requireDigest(long expected, ChangeCargo actual) throws ShipmentException {
    long digest = CargoDigest.of(actual);
    if (digest != expected) {
      throw new ShipmentException(
          Fault.DIGEST,
          format("the cargo read back has digest %016x, the one written %016x", digest, expected));
    }
  }
}
