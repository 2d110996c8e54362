package io.drayage.frame;

import static io.drayage.internal.Texts.format;

import java.nio.ByteBuffer;

/**
 * The transactor takes a shipment. The payload of an {@link FrameType#ACCEPT} frame:
 *
 * <pre>
 *   0             8              16                32               40                44
 *   +-------------+--------------+-----------------+----------------+-----------------+
 *   | shipment id | credit bytes | token           | resume window  | max connections |
 *   | i64         | i64          | 2 x i64, high   | ms, i64        | i32             |
 *   |             |              |   half first    |                |                 |
 *   +-------------+--------------+-----------------+----------------+-----------------+
 *   44            52             60                64
 *   +-------------+--------------+-----------------+
 *   | store takes | store gives  | nodes that load |
 *   | bytes/s i64 | bytes/s i64  | i32             |
 *   +-------------+--------------+-----------------+
 * </pre>
 *
 * @param shipmentId stands in every frame of the shipment from now on
 * @param creditBytes how many bytes of frames may be sent on this connection before more credit
 *     comes
 * @param token must be shown by further connections of the shipment
 * @param resumeWindowMs how long a shipment whose connections are lost is kept; 0: not at all
 * @param maxConnections how many connections the shipment may have at a time, this one included
 * @param store what the store does with the bytes of the shipment
 */
public record Accepted(
    long shipmentId,
    long creditBytes,
    Token token,
    long resumeWindowMs,
    int maxConnections,
    StoreShare store) {
  private static final int BYTES = 44 + StoreShare.BYTES;

  /** An acceptance of a shipment that has one connection and ends with it. */
  public static Accepted ofSingleConnection(long shipmentId, long creditBytes, StoreShare store) {
    return new Accepted(shipmentId, creditBytes, Token.NONE, 0, 1, store);
  }

  /** The complete frame. */
  public ByteBuffer toFrame() {
    return ControlFrame.of(FrameType.ACCEPT, shipmentId, BYTES, this::write);
  }

  private void write(ByteBuffer payload) {
    payload.putLong(shipmentId).putLong(creditBytes);
    token.write(payload);
    payload.putLong(resumeWindowMs).putInt(maxConnections);
    store.write(payload);
  }

  /**
   * The acceptance in a verified payload.
   *
   * @throws ShipmentException {@link Fault#LIMIT} for a negative window or rate, or no connection
   *     at all
   */
  public static Accepted ofPayload(ByteBuffer payload) throws ShipmentException {
    ControlFrame.requirePayload(payload, BYTES);
    Accepted accepted =
        new Accepted(
            payload.getLong(),
            payload.getLong(),
            Token.read(payload),
            payload.getLong(),
            payload.getInt(),
            StoreShare.read(payload));
    if (accepted.resumeWindowMs < 0 || accepted.maxConnections < 1) {
      throw new ShipmentException(
          Fault.LIMIT,
          format(
              "the transactor states a resume window of %,d ms and %,d connections",
              accepted.resumeWindowMs, accepted.maxConnections));
    }
    return accepted;
  }
}
