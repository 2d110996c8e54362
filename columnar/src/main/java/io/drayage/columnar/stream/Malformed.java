package io.drayage.columnar.stream;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;

/** Refuses bytes that are no stream. */
public final class Malformed {
  private Malformed() {}

  public static ShipmentException because(String message) {
    return new ShipmentException(Fault.DECODE, message);
  }

  /** Checks that a peer's number is within its limits. */
  public static void unlessWithin(String what, long number, long min, long max)
      throws ShipmentException {
    if (number < min || number > max) {
      throw because(format("%s of %,d is outside %,d to %,d", what, number, min, max));
    }
  }

  /** Checks that so many bytes are there. */
  public static void unlessThere(String what, ByteBuffer source, long bytes)
      throws ShipmentException {
    if (source.remaining() < bytes) {
      throw because(format("%s needs %,d bytes, there are %,d", what, bytes, source.remaining()));
    }
  }

  /** Checks that exactly so many bytes are there. */
  public static void unlessExactly(String what, ByteBuffer source, long bytes)
      throws ShipmentException {
    if (source.remaining() != bytes) {
      throw because(format("%s needs %,d bytes, there are %,d", what, bytes, source.remaining()));
    }
  }
}
