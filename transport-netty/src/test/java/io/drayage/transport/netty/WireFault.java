package io.drayage.transport.netty;

import io.drayage.frame.FrameType;

/**
 * One fault between a worker and a transactor.
 *
 * @param connection number of the connection through the proxy, from 0
 * @param watched the direction in which {@code place} is searched
 * @param place the place in the stream at which the fault happens
 * @param affected the direction whose bytes are affected, from the next byte on
 * @param kind of the fault
 * @param amount in the unit of the kind
 */
record WireFault(
    int connection,
    FlowDirection watched,
    Place place,
    FlowDirection affected,
    FaultKind kind,
    int amount) {

  /** The direction of bytes. */
  enum FlowDirection {
    TO_TRANSACTOR,
    TO_WORKER
  }

  /** The kind of a fault. */
  enum FaultKind {
    /** Both sides see a reset. */
    RESET(true),
    /** The receiver sees a reset, the sender nothing. */
    HALF_OPEN(true),
    /** Bytes of this direction vanish from now on. */
    SILENT_DROP(true),
    /** Bytes of both directions vanish from now on. */
    FREEZE(true),
    /** The receiver sees the orderly end of the stream, at any byte. */
    TRUNCATE(true),
    /** One bit changes: bit number {@code amount}, 0 to 7, of the next byte. */
    FLIP(false),
    /** The next {@code amount} bytes vanish, and later bytes follow. */
    LOSE(false),
    /** Passes at most {@code amount} bytes each millisecond, for the rest of the connection. */
    THROTTLE(false),
    /** The bytes pause for {@code amount} milliseconds. */
    DELAY(false),
    /** The next {@code amount} bytes are written one by one. */
    SINGLE_BYTES(false);

    private final boolean endsConnection;

    FaultKind(boolean endsConnection) {
      this.endsConnection = endsConnection;
    }

    /** Checks whether it costs the connection and leaves the bytes before it right. */
    boolean endsConnection() {
      return endsConnection;
    }

    /** Checks whether it costs only time. */
    boolean isHarmless() {
      return this == THROTTLE || this == DELAY || this == SINGLE_BYTES;
    }
  }

  /** A place in a stream of frames. */
  sealed interface Place {
    /** The place after {@code offset} bytes. */
    record AtByte(long offset) implements Place {}

    /**
     * A place in a frame.
     *
     * @param ordinal number of the frame among those of its type on this connection, from 0
     * @param part 0 is before its first byte, 0.5 is the middle; less than 1
     */
    record InFrame(FrameType type, int ordinal, double part) implements Place {}
  }
}
