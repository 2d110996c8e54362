package io.drayage.frame;

import static io.drayage.internal.Texts.format;

import java.nio.ByteBuffer;

/**
 * The transactor accepts a shipment. The payload of an {@link FrameType#ACCEPT} frame:
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
 * @param shipmentId the id in every further frame of the shipment
 * @param creditBytes bytes of frames that this connection may send before more credit comes
 * @param token the secret that further connections of the shipment must have
 * @param resumeWindowMs time for which a shipment without connections is kept; 0: none
 * @param maxConnections the most connections of the shipment at a time, with this one
 * @param store the rates of the store for the bytes of the shipment
 */
public record Accepted(
    long shipmentId,
    long creditBytes,
    Token token,
    long resumeWindowMs,
    int maxConnections,
    StoreShare store) {
  private static final int BYTES = 44 + StoreShare.BYTES;

  /** The acceptance of a shipment that has one connection and ends with it. */
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
   * @throws ShipmentException {@link Fault#LIMIT} if the window or a rate is negative, or no
   *     connection is allowed
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
