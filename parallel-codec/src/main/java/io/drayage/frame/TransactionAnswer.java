package io.drayage.frame;

import static io.drayage.internal.Texts.format;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * The transactor's answer to a {@link TransactionRequest} that does not fail:
 *
 * <pre>
 * OPENED    | database 2 x i64 | base i64 | checksum of base i32 | lease ms i32
 * RENEWED   | lease ms i32 | base lost u8: 0, 1
 * COMMITTED | timestamp i64, negative: at or before that
 * ABORTED   |
 * </pre>
 */
public sealed interface TransactionAnswer {
  /** The complete frame. */
  ByteBuffer toFrame();

  /**
   * The transaction is open.
   *
   * @param database the id of the database
   * @param base the snapshot on which the transaction's cargoes must be made
   * @param baseChecksum the checksum of the log entry that made the base; 0 if unknown
   * @param lease time for which the transaction stays open after each renewal
   */
  record Opened(UUID database, long base, int baseChecksum, Duration lease)
      implements TransactionAnswer {
    private static final int BYTES = 16 + 16;

    @Override
    public ByteBuffer toFrame() {
      return ControlFrame.of(
          FrameType.OPENED,
          0,
          BYTES,
          payload ->
              payload
                  .putLong(database.getMostSignificantBits())
                  .putLong(database.getLeastSignificantBits())
                  .putLong(base)
                  .putInt(baseChecksum)
                  .putInt((int) lease.toMillis()));
    }
  }

  /**
   * The lease is renewed.
   *
   * @param baseLost whether cargoes that were made on the base can no longer be committed
   */
  record Renewed(Duration lease, boolean baseLost) implements TransactionAnswer {
    @Override
    public ByteBuffer toFrame() {
      return ControlFrame.of(
          FrameType.RENEWED,
          0,
          5,
          payload -> payload.putInt((int) lease.toMillis()).put((byte) (baseLost ? 1 : 0)));
    }
  }

  /**
   * The transaction is committed.
   *
   * @param timestamp the timestamp of its snapshot
   * @param exact false for an application's older version, committed at this timestamp or before
   */
  record Committed(long timestamp, boolean exact) implements TransactionAnswer {
    @Override
    public ByteBuffer toFrame() {
      return ControlFrame.committed(0, exact ? timestamp : -timestamp);
    }
  }

  /** The transaction has ended without effect. */
  record Aborted() implements TransactionAnswer {
    @Override
    public ByteBuffer toFrame() {
      return ControlFrame.of(FrameType.ABORTED, 0, 0, payload -> {});
    }
  }

  /** The cause of a failed future of an answer. Without a failure, the answer was null. */
  static Throwable cause(@Nullable Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    return cause == null ? new IllegalStateException("the answer was null") : cause;
  }

  /**
   * The answer in a verified payload.
   *
   * @throws ShipmentException {@code BAD_FRAME} if it is no answer; the failure itself if it is one
   */
  static TransactionAnswer ofPayload(FrameType type, ByteBuffer payload) throws ShipmentException {
    switch (type) {
      case OPENED -> {
        ControlFrame.requirePayload(payload, Opened.BYTES);
        return new Opened(
            new UUID(payload.getLong(), payload.getLong()),
            payload.getLong(),
            payload.getInt(),
            Duration.ofMillis(payload.getInt()));
      }
      case RENEWED -> {
        ControlFrame.requirePayload(payload, 5);
        return new Renewed(Duration.ofMillis(payload.getInt()), payload.get() != 0);
      }
      case COMMITTED -> {
        long timestamp = ControlFrame.number(payload);
        return new Committed(Math.abs(timestamp), timestamp >= 0);
      }
      case ABORTED -> {
        ControlFrame.requirePayload(payload, 0);
        return new Aborted();
      }
      case FAILED -> throw Failure.ofPayload(payload);
      default ->
          throw new ShipmentException(
              Fault.BAD_FRAME, format("a %s frame answers no request", type));
    }
  }
}
