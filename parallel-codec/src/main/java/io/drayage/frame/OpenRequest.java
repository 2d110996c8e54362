package io.drayage.frame;

import static io.drayage.internal.Texts.format;

import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * The wishes of a worker for a shipment: the transport's part of an {@link FrameType#OPEN} frame.
 * {@link ShipmentHeader} shows its place in the frame.
 *
 * @param connections the number of connections that it would use, 1 to 255
 * @param creditBytes the approximate charge of all its frames; 0 if unknown or more than 2 GiB. A
 *     transactor gives no more credit than this, so that small cargoes need little
 * @param patienceMs time for which the request may wait for room at the transactor; 0: none
 */
public record OpenRequest(int connections, int creditBytes, int patienceMs) {
  /** One connection and as much credit as a shipment may have, without waiting. */
  public static final OpenRequest DEFAULT = new OpenRequest(1, 0, 0);

  /** The most credit of a small cargo. */
  public static final int MAX_SMALL_CREDIT_BYTES = 16 << 10;

  private static final int CONNECTIONS_OFFSET = 27;
  private static final int CREDIT_OFFSET = 52;
  private static final int PATIENCE_OFFSET = 56;
  private static final int MAX_CONNECTIONS = 255;

  /**
   * @throws IllegalArgumentException if a number is out of its range
   */
  public OpenRequest {
    if (connections < 1 || connections > MAX_CONNECTIONS || creditBytes < 0 || patienceMs < 0) {
      throw new IllegalArgumentException(
          format(
              "the worker wants %d connections, %,d bytes of credit and %,d ms of patience",
              connections, creditBytes, patienceMs));
    }
  }

  /** A request for {@code creditBytes} of credit, 0 if unknown, within this time. */
  public static OpenRequest of(int connections, long creditBytes, Duration patience) {
    return new OpenRequest(
        connections,
        creditBytes > Integer.MAX_VALUE ? 0 : (int) creditBytes,
        (int) Math.min(Integer.MAX_VALUE, Math.max(0, patience.toMillis())));
  }

  /**
   * Whether the cargo is small. The frames of a small cargo have 0 as the number of their shipment,
   * so that they may follow the request immediately, before the transactor has given a number.
   */
  public boolean isOfSmallCargo() {
    return creditBytes > 0 && creditBytes <= MAX_SMALL_CREDIT_BYTES && connections == 1;
  }

  void write(ByteBuffer payload, int start) {
    payload
        .put(start + CONNECTIONS_OFFSET, (byte) connections)
        .putInt(start + CREDIT_OFFSET, creditBytes)
        .putInt(start + PATIENCE_OFFSET, patienceMs);
  }

  /**
   * The request in the verified payload of an OPEN frame.
   *
   * @throws ShipmentException {@link Fault#LIMIT} if a number is out of its range
   */
  public static OpenRequest ofPayload(ByteBuffer payload) throws ShipmentException {
    ShipmentHeader.requireFixedPart(payload);
    int start = payload.position();
    try {
      return new OpenRequest(
          payload.get(start + CONNECTIONS_OFFSET) & 0xFF,
          payload.getInt(start + CREDIT_OFFSET),
          payload.getInt(start + PATIENCE_OFFSET));
    } catch (IllegalArgumentException e) {
      throw new ShipmentException(Fault.LIMIT, String.valueOf(e.getMessage()), e);
    }
  }
}
