package io.drayage.frame;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.Names;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of a transaction in a worker's request to ship its cargo. The payload of an {@link
 * FrameType#OPEN} frame:
 *
 * <pre>
 *   0                16              24         25           26           27
 *   +----------------+---------------+----------+------------+------------+-------------+
 *   | transaction id | base snapshot | pipeline | serializer | compressor | connections |
 *   | 2 x i64, high  | i64           | u8       | u8         | u8         | wanted, u8  |
 *   |   half first   |               |          |            |            |             |
 *   +----------------+---------------+----------+------------+------------+-------------+
 *   28                29            30            32              48
 *   +-----------------+-------------+-------------+---------------+
 *   | acknowledgement | on conflict | trace bytes | database      |
 *   | u8              | u8          | u8: 0, 25   | 2 x i64, high |
 *   |                 |             | fragment    |   half first; |
 *   |                 |             | u8: 0, 32   |   0: none     |
 *   +-----------------+-------------+-------------+---------------+
 *   48           52             56            60
 *   +------------+--------------+-------------+-------+----------------+--------+
 *   | checksum   | credit bytes | patience    | trace | transaction,   | worker |
 *   | of base,   | wanted, i32; | ms, i32     |       | token of a     | UTF-8  |
 *   | i32;       | 0: unknown   |             |       | fragment,      | ...    |
 *   | 0: unknown |              |             |       | 2 x i64 each   |        |
 *   +------------+--------------+-------------+-------+----------------+--------+
 * </pre>
 *
 * The wishes for the transport, an {@link OpenRequest}, are not part of this record.
 *
 * @param transactionId the transaction whose changes are shipped; for a fragment, the fragment's
 *     own id
 * @param baseSnapshot the snapshot on which the changes were made
 * @param pipeline the form in which the cargo is cut into frames
 * @param serializerId the number of the serializer
 * @param compressorId the number of the compressor
 * @param options the time of the answer, and the reaction to conflicts
 * @param worker the name of the sender in messages, at most 200 printable characters: see {@link
 *     Names}. If workers have to prove their names, the transactor uses the proven name instead
 * @param trace the trace of the shipment; null if nobody records it
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
  private static final int FIXED_BYTES = 60;

  /** The longest name of a worker, in UTF-16 code units. */
  public static final int MAX_WORKER_CHARS = 200;

  /**
   * @throws IllegalArgumentException if the worker's name is too long, or not printable
   */
  public ShipmentHeader {
    Names.check("worker", worker, MAX_WORKER_CHARS);
  }

  /** A header without a trace. */
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

  /** The form in which a cargo is cut into frames. */
  public enum Pipeline {
    /** One byte stream in chunks, written by one thread and read by one. */
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
            throw new ShipmentException(Fault.BAD_FRAME, format("pipeline %d is unknown", id));
      };
    }
  }

  /** A copy with the name of another worker. */
  public ShipmentHeader withWorker(String name) {
    return new ShipmentHeader(
        transactionId, baseSnapshot, pipeline, serializerId, compressorId, options, name, trace);
  }

  /** A copy with another trace, or none. */
  public ShipmentHeader withTrace(@Nullable TraceContext within) {
    return new ShipmentHeader(
        transactionId, baseSnapshot, pipeline, serializerId, compressorId, options, worker, within);
  }

  /**
   * The complete frame, with the {@linkplain OpenRequest#DEFAULT least} request to the transport.
   */
  public ByteBuffer toFrame() {
    return toFrame(OpenRequest.DEFAULT);
  }

  /** The complete frame. */
  public ByteBuffer toFrame(OpenRequest wanted) {
    byte[] name = worker.getBytes(StandardCharsets.UTF_8);
    int traceBytes = trace == null ? 0 : TraceContext.BYTES;
    FragmentOf fragment = options.fragment();
    int fragmentBytes = fragment == null ? 0 : FragmentOf.BYTES;
    UUID database = options.database();
    return ControlFrame.of(
        FrameType.OPEN,
        0,
        FIXED_BYTES + traceBytes + fragmentBytes + name.length,
        payload -> {
          int start = payload.position();
          payload
              .putLong(transactionId.getMostSignificantBits())
              .putLong(transactionId.getLeastSignificantBits())
              .putLong(baseSnapshot)
              .put((byte) pipeline.id)
              .put((byte) serializerId)
              .put((byte) compressorId)
              .put((byte) 0)
              .put((byte) options.acknowledgement().id())
              .put((byte) options.onConflict().id())
              .put((byte) traceBytes)
              .put((byte) fragmentBytes)
              .putLong(database == null ? 0 : database.getMostSignificantBits())
              .putLong(database == null ? 0 : database.getLeastSignificantBits())
              .putInt(options.baseChecksum())
              .putLong(0);
          wanted.write(payload, start);
          if (trace != null) {
            trace.write(payload);
          }
          if (fragment != null) {
            fragment.write(payload);
          }
          payload.put(name);
        });
  }

  /** The header in a verified payload. */
  public static ShipmentHeader ofPayload(ByteBuffer payload) throws ShipmentException {
    OpenRequest unused = OpenRequest.ofPayload(payload);
    ShipmentHeader fixed =
        new ShipmentHeader(
            new UUID(payload.getLong(), payload.getLong()),
            payload.getLong(),
            Pipeline.ofId(payload.get() & 0xFF),
            payload.get() & 0xFF,
            payload.get() & 0xFF,
            options(payload.position(payload.position() + 1)),
            "");
    int traceBytes = payload.get() & 0xFF;
    int fragmentBytes = payload.get() & 0xFF;
    UUID database = new UUID(payload.getLong(), payload.getLong());
    int baseChecksum = payload.getInt();
    payload.getLong(); // The part of OpenRequest.
    requireReserved(traceBytes, fragmentBytes, payload);
    TraceContext trace = traceBytes == 0 ? null : TraceContext.read(payload);
    FragmentOf fragment = fragmentBytes == 0 ? null : FragmentOf.read(payload);
    return fixed
        .of(database, baseChecksum, fragment)
        .withTrace(trace)
        .withWorker(worker(ControlFrame.text(payload)));
  }

  private static String worker(String name) throws ShipmentException {
    try {
      Names.check("worker", name, MAX_WORKER_CHARS);
      return name;
    } catch (IllegalArgumentException e) {
      Fault fault = name.length() > MAX_WORKER_CHARS ? Fault.LIMIT : Fault.BAD_FRAME;
      throw new ShipmentException(fault, String.valueOf(e.getMessage()), e);
    }
  }

  private static CommitOptions options(ByteBuffer payload) throws ShipmentException {
    return new CommitOptions(
        Acknowledgement.ofId(payload.get() & 0xFF), OnConflict.ofId(payload.get() & 0xFF));
  }

  /** Returns this header for a database, whose id is 0 if there is none. */
  private ShipmentHeader of(UUID database, int baseChecksum, @Nullable FragmentOf fragment) {
    CommitOptions placed =
        database.equals(new UUID(0, 0)) ? options : options.on(database, baseChecksum);
    return new ShipmentHeader(
        transactionId,
        baseSnapshot,
        pipeline,
        serializerId,
        compressorId,
        fragment == null ? placed : placed.of(fragment),
        worker,
        trace);
  }

  /** The id of the whole transaction of the changes; for a fragment, the id of its transaction. */
  public UUID wholeTransaction() {
    FragmentOf fragment = options.fragment();
    return fragment == null ? transactionId : fragment.transaction();
  }

  private static void requireReserved(int traceBytes, int fragmentBytes, ByteBuffer payload)
      throws ShipmentException {
    if ((traceBytes != 0 && traceBytes != TraceContext.BYTES)
        || (fragmentBytes != 0 && fragmentBytes != FragmentOf.BYTES)) {
      throw new ShipmentException(
          Fault.BAD_FRAME,
          format("the reserved bits of a request are %02x%02x", fragmentBytes, traceBytes));
    }
    int bytes = traceBytes + fragmentBytes;
    if (payload.remaining() < bytes) {
      ControlFrame.requirePayload(payload, bytes);
    }
  }

  static void requireFixedPart(ByteBuffer payload) throws ShipmentException {
    if (payload.remaining() < FIXED_BYTES) {
      ControlFrame.requirePayload(payload, FIXED_BYTES);
    }
  }
}
