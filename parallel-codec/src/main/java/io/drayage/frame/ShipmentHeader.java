package io.drayage.frame;

import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The transaction's metadata, with which a worker asks to ship its cargo. The payload of an {@link
 * FrameType#OPEN} frame:
 *
 * <pre>
 *   0                16              24         25           26           27
 *   +----------------+---------------+----------+------------+------------+-------------+
 *   | transaction id | base snapshot | pipeline | serializer | compressor | connections |
 *   | 2 x i64, high  | i64           | u8       | u8         | u8         | wanted, u8  |
 *   |   half first   |               |          |            |            |             |
 *   +----------------+---------------+----------+------------+------------+-------------+
 *   28                29            30            32      32 or 57
 *   +-----------------+-------------+-------------+-------+--------+
 *   | acknowledgement | on conflict | trace bytes | trace | worker |
 *   | u8              | u8          | u16: 0, 25  |       | UTF-8  |
 *   |                 |             |             |       | ...    |
 *   +-----------------+-------------+-------------+-------+--------+
 * </pre>
 *
 * With a trace the frame is written in version {@link FrameHeader#TRACED_VERSION}, else in {@link
 * FrameHeader#VERSION}. A reader goes by the number of the trace's bytes alone.
 *
 * <p>The number of connections is the transport's business and no part of this record.
 *
 * @param transactionId the transaction whose changes are shipped
 * @param baseSnapshot the snapshot on which they were made
 * @param pipeline how the cargo is cut into frames
 * @param serializerId the number of the serializer
 * @param compressorId the number of the compressor
 * @param options when to answer, and what to do about conflicts
 * @param worker names the sender in messages, at most 200 characters. Where workers have to prove
 *     who they are, a transactor sees the proven name in its place
 * @param trace within which it is shipped; null if nobody records it
 */
public record ShipmentHeader(
    UUID transactionId,
    long baseSnapshot,
    Pipeline pipeline,
    int serializerId,
    int compressorId,
    CommitOptions options,
    String worker,
    @Nullable TraceContext trace) {
  private static final int FIXED_BYTES = 32;
  private static final int CONNECTIONS_OFFSET = 27;
  private static final int MAX_WORKER_CHARS = 200;

  /** Without a trace. */
  public ShipmentHeader(
      UUID transactionId,
      long baseSnapshot,
      Pipeline pipeline,
      int serializerId,
      int compressorId,
      CommitOptions options,
      String worker) {
    this(transactionId, baseSnapshot, pipeline, serializerId, compressorId, options, worker, null);
  }

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
            throw new ShipmentException(
                Fault.BAD_FRAME, String.format(Locale.ROOT, "pipeline %d is unknown", id));
      };
    }
  }

  /** The same of a worker with another name. */
  public ShipmentHeader withWorker(String name) {
    return new ShipmentHeader(
        transactionId, baseSnapshot, pipeline, serializerId, compressorId, options, name, trace);
  }

  /** The same within another trace, or none. */
  public ShipmentHeader withTrace(@Nullable TraceContext within) {
    return new ShipmentHeader(
        transactionId, baseSnapshot, pipeline, serializerId, compressorId, options, worker, within);
  }

  /** The complete frame of a worker that wants a single connection. */
  public ByteBuffer toFrame() {
    return toFrame(1);
  }

  /**
   * The complete frame.
   *
   * @param connections how many connections the worker would like to use, 1 to 255
   */
  public ByteBuffer toFrame(int connections) {
    byte[] name = ControlFrame.utf8(worker, MAX_WORKER_CHARS);
    int traceBytes = trace == null ? 0 : TraceContext.BYTES;
    return ControlFrame.of(
        trace == null ? FrameHeader.VERSION : FrameHeader.TRACED_VERSION,
        FrameType.OPEN,
        0,
        FIXED_BYTES + traceBytes + name.length,
        payload -> {
          payload
              .putLong(transactionId.getMostSignificantBits())
              .putLong(transactionId.getLeastSignificantBits())
              .putLong(baseSnapshot)
              .put((byte) pipeline.id)
              .put((byte) serializerId)
              .put((byte) compressorId)
              .put((byte) connections)
              .put((byte) options.acknowledgement().id())
              .put((byte) options.onConflict().id())
              .putShort((short) traceBytes);
          if (trace != null) {
            trace.write(payload);
          }
          payload.put(name);
        });
  }

  /** The header in a verified payload. */
  public static ShipmentHeader ofPayload(ByteBuffer payload) throws ShipmentException {
    int connections = connections(payload);
    if (connections == 0) {
      throw new ShipmentException(Fault.LIMIT, "the worker wants 0 connections");
    }
    ShipmentHeader fixed =
        new ShipmentHeader(
            new UUID(payload.getLong(), payload.getLong()),
            payload.getLong(),
            Pipeline.ofId(payload.get() & 0xFF),
            payload.get() & 0xFF,
            payload.get() & 0xFF,
            options(payload.position(payload.position() + 1)),
            "");
    TraceContext trace = trace(payload);
    return fixed.withTrace(trace).withWorker(worker(ControlFrame.text(payload)));
  }

  private static String worker(String name) throws ShipmentException {
    if (name.length() > MAX_WORKER_CHARS) {
      throw new ShipmentException(
          Fault.LIMIT,
          String.format(
              Locale.ROOT,
              "the worker's name has %,d characters; the limit is %,d",
              name.length(),
              MAX_WORKER_CHARS));
    }
    return name;
  }

  private static CommitOptions options(ByteBuffer payload) throws ShipmentException {
    return new CommitOptions(
        Acknowledgement.ofId(payload.get() & 0xFF), OnConflict.ofId(payload.get() & 0xFF));
  }

  private static @Nullable TraceContext trace(ByteBuffer payload) throws ShipmentException {
    short bytes = payload.getShort();
    if (bytes == 0) {
      return null;
    }
    if (bytes != TraceContext.BYTES) {
      throw new ShipmentException(
          Fault.BAD_FRAME,
          String.format(Locale.ROOT, "the reserved bits of a request are %04x", bytes));
    }
    if (payload.remaining() < bytes) {
      ControlFrame.requirePayload(payload, bytes);
    }
    return TraceContext.read(payload);
  }

  /** How many connections the worker would like to use, in the verified payload of a request. */
  public static int connections(ByteBuffer payload) throws ShipmentException {
    if (payload.remaining() < FIXED_BYTES) {
      ControlFrame.requirePayload(payload, FIXED_BYTES);
    }
    return payload.get(payload.position() + CONNECTIONS_OFFSET) & 0xFF;
  }
}
