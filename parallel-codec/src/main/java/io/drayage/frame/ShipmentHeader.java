package io.drayage.frame;

import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * The transaction's metadata, with which a worker asks to ship its cargo. The payload of an {@link
 * FrameType#OPEN} frame:
 *
 * <pre>
 *   0                16              24         25           26           27
 *   +----------------+---------------+----------+------------+------------+---------------+
 *   | transaction id | base snapshot | pipeline | serializer | compressor | worker, UTF-8 |
 *   | 2 x i64, high  | i64           | u8       | u8         | u8         | ...           |
 *   |   half first   |               |          |            |            |               |
 *   +----------------+---------------+----------+------------+------------+---------------+
 * </pre>
 *
 * @param transactionId the transaction whose changes are shipped
 * @param baseSnapshot the snapshot on which they were made
 * @param pipeline how the cargo is cut into frames
 * @param serializerId the number of the serializer
 * @param compressorId the number of the compressor
 * @param worker names the sender in messages, at most 200 characters
 */
public record ShipmentHeader(
    UUID transactionId,
    long baseSnapshot,
    Pipeline pipeline,
    int serializerId,
    int compressorId,
    String worker) {
  private static final int FIXED_BYTES = 27;
  private static final int MAX_WORKER_CHARS = 200;

  /** How a cargo is cut into frames. */
  public enum Pipeline {
    /** One byte stream in chunks, made by one thread and read by one. */
    STREAM(1),
    /** A manifest, then independent segments. */
    SEGMENTS(2);

    private final int id;

    Pipeline(int id) {
      this.id = id;
    }

    private static Pipeline ofId(int id) throws ShipmentException {
      return switch (id) {
        case 1 -> STREAM;
        case 2 -> SEGMENTS;
        default ->
            throw new ShipmentException(Fault.BAD_FRAME, "pipeline %d is unknown".formatted(id));
      };
    }
  }

  /** The complete frame. */
  public ByteBuffer toFrame() {
    byte[] name = ControlFrame.utf8(worker, MAX_WORKER_CHARS);
    return ControlFrame.of(
        FrameType.OPEN,
        0,
        FIXED_BYTES + name.length,
        payload ->
            payload
                .putLong(transactionId.getMostSignificantBits())
                .putLong(transactionId.getLeastSignificantBits())
                .putLong(baseSnapshot)
                .put((byte) pipeline.id)
                .put((byte) serializerId)
                .put((byte) compressorId)
                .put(name));
  }

  /** The header in a verified payload. */
  public static ShipmentHeader ofPayload(ByteBuffer payload) throws ShipmentException {
    if (payload.remaining() < FIXED_BYTES) {
      ControlFrame.requirePayload(payload, FIXED_BYTES);
    }
    return new ShipmentHeader(
        new UUID(payload.getLong(), payload.getLong()),
        payload.getLong(),
        Pipeline.ofId(payload.get() & 0xFF),
        payload.get() & 0xFF,
        payload.get() & 0xFF,
        ControlFrame.text(payload));
  }
}
