package io.drayage.transport.netty;

import io.drayage.frame.FrameType;

/**
 * One thing that goes wrong between a worker and a transactor.
 *
 * @param connection on which connection through the proxy, the first being 0
 * @param watched the direction in which {@code place} is looked for
 * @param place when it happens
 * @param affected the direction whose bytes it happens to, from the next one on
 * @param kind what happens
 * @param amount how much, in the unit of the kind
 */
record WireFault(
    int connection,
    FlowDirection watched,
    Place place,
    FlowDirection affected,
    FaultKind kind,
    int amount) {

  /** Which way bytes go. */
  enum FlowDirection {
    TO_TRANSACTOR,
    TO_WORKER
  }

  /** What can happen. */
  enum FaultKind {
    /** Both sides see a reset. */
    RESET(true),
    /** The receiver sees a reset, the sender nothing at all. */
    HALF_OPEN(true),
    /** Bytes of this direction vanish from now on. */
    SILENT_DROP(true),
    /** Bytes of both directions vanish from now on. */
    FREEZE(true),
    /** The receiver sees the orderly end of the stream, in the middle of whatever it was. */
    TRUNCATE(true),
    /** One bit changes: bit number {@code amount}, 0 to 7, of the next byte. */
    FLIP(false),
    /** So many bytes vanish, and those behind them follow. */
    LOSE(false),
    /** So many bytes each millisecond, for the rest of the connection. */
    THROTTLE(false),
    /** A pause of so many milliseconds. */
    DELAY(false),
    /** So many bytes go in writes of their own. */
    SINGLE_BYTES(false);

    private final boolean endsConnection;

    FaultKind(boolean endsConnection) {
      this.endsConnection = endsConnection;
    }

    /** Whether it costs the connection and leaves the bytes before it right. */
    boolean endsConnection() {
      return endsConnection;
    }

    /** Whether it only costs time. */
    boolean isHarmless() {
      return this == THROTTLE || this == DELAY || this == SINGLE_BYTES;
    }
  }

  /** A place in a stream of frames. */
  sealed interface Place {
    /** So many bytes have passed. */
    record AtByte(long offset) implements Place {}

    /**
     * So far into a frame.
     *
     * @param ordinal the how many-th frame of its type on this connection, from 0
     * @param part 0 is before its first byte, 0.5 is the middle; less than 1
     */
    record InFrame(FrameType type, int ordinal, double part) implements Place {}
  }
}
