package io.drayage.frame;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.Names;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A request of the coordinator of a transaction of several workers to the transactor. Each kind of
 * request has its own frame, which is the only one of its connection:
 *
 * <pre>
 * BEGIN   | transaction 2 x i64 | database 2 x i64, 0: any | base i64, -1: newest | checksum i32
 *         | lease ms i32 | worker, UTF-8 ...
 * RENEW   | transaction 2 x i64 | token 2 x i64
 * ABORT   | transaction 2 x i64 | token 2 x i64
 * COMMIT  | transaction 2 x i64 | token 2 x i64 | acknowledgement u8 | on conflict u8 | serializable u8 | app bytes u8
 *         | version i64 | made until i64 | trace bytes u8: 0, 25 | table bytes u16 | app ... | tables, one a line ...
 *         | trace | fragment ids, 2 x i64 each ...
 * </pre>
 *
 * Ids have their high half first. {@link TraceContext} shows the trace.
 */
public sealed interface TransactionRequest {
  /** The most fragments of a transaction. */
  int MAX_FRAGMENTS = 32_768;

  /** The most payload bytes of a {@link FrameType#COMMIT} frame. */
  int MAX_COMMIT_BYTES =
      Commit.FIXED_BYTES
          + AppVersion.MAX_CHARS
          + AppVersion.MAX_TABLE_BYTES
          + TraceContext.BYTES
          + MAX_FRAGMENTS * 16;

  /** The id of the transaction. */
  UUID transaction();

  /** Whether another request asks for the same, in any trace. */
  default boolean isSameAs(@Nullable TransactionRequest other) {
    return equals(other);
  }

  /** The complete frame. */
  ByteBuffer toFrame();

  /** Returns this request with the name that its worker has proved, if it has a worker's name. */
  default TransactionRequest withWorker(String worker) {
    return this;
  }

  /**
   * Begins a transaction.
   *
   * @param transaction the {@linkplain Token#transaction id of its token}, which all later requests
   *     need
   * @param database the id of the database; null for any
   * @param base the snapshot on which the transaction's cargoes are made; -1 for the newest
   * @param baseChecksum the checksum of the base's log entry, as the coordinator read it; 0 for any
   * @param lease time for which the transaction stays open after each renewal
   * @param worker the name of the coordinator
   */
  record Begin(
      UUID transaction,
      @Nullable UUID database,
      long base,
      int baseChecksum,
      Duration lease,
      String worker)
      implements TransactionRequest {
    /** The {@link #base} that means the newest snapshot. */
    public static final long NEWEST = -1;

    @Override
    public Begin withWorker(String proven) {
      return new Begin(transaction, database, base, baseChecksum, lease, proven);
    }

    @Override
    public ByteBuffer toFrame() {
      byte[] name = worker.getBytes(StandardCharsets.UTF_8);
      return ControlFrame.of(
          FrameType.BEGIN,
          0,
          48 + name.length,
          payload -> {
            put(payload, transaction);
            put(payload, database == null ? new UUID(0, 0) : database);
            payload.putLong(base).putInt(baseChecksum);
            payload.putInt((int) Math.min(Integer.MAX_VALUE, lease.toMillis()));
            payload.put(name);
          });
    }
  }

  /** Renews the lease. */
  record Renew(UUID transaction, Token token) implements TransactionRequest {
    @Override
    public ByteBuffer toFrame() {
      return named(FrameType.RENEW, transaction, token);
    }
  }

  /** Ends the transaction without effect, unless it is committed. */
  record Abort(UUID transaction, Token token) implements TransactionRequest {
    @Override
    public ByteBuffer toFrame() {
      return named(FrameType.ABORT, transaction, token);
    }
  }

  /**
   * Commits fragments, all of them or none.
   *
   * @param acknowledgement when the transaction counts as committed: {@code APPLIED} becomes {@code
   *     STORED}, since a coordinator has no replica that would notice a lost commit
   * @param serializable whether there is a conflict if, since the base, another transaction has
   *     inserted into a table into which this one inserts
   * @param app the version that its application gave it; null if it has none
   * @param madeUntil a table that the transaction changes, and does not add, must have been made in
   *     this snapshot or before; {@link #ANY_TABLE} for any
   * @param fragments the ids of the fragments, in the order in which they are applied
   * @param trace the trace of the request; null if nobody records it
   */
  record Commit(
      UUID transaction,
      Token token,
      Acknowledgement acknowledgement,
      OnConflict onConflict,
      boolean serializable,
      @Nullable AppVersion app,
      long madeUntil,
      List<UUID> fragments,
      @Nullable TraceContext trace)
      implements TransactionRequest {
    /** The {@link #madeUntil} that makes no condition. */
    public static final long ANY_TABLE = Long.MAX_VALUE;

    private static final int FIXED_BYTES = 55;

    /** A commit of any tables, without a trace. */
    public Commit(
        UUID transaction,
        Token token,
        Acknowledgement acknowledgement,
        OnConflict onConflict,
        boolean serializable,
        @Nullable AppVersion app,
        List<UUID> fragments) {
      this(
          transaction,
          token,
          acknowledgement,
          onConflict,
          serializable,
          app,
          ANY_TABLE,
          fragments,
          null);
    }

    /**
     * @throws IllegalArgumentException if there are more fragments than {@link #MAX_FRAGMENTS}
     */
    public Commit {
      acknowledgement =
          acknowledgement == Acknowledgement.APPLIED ? Acknowledgement.STORED : acknowledgement;
      fragments = List.copyOf(fragments);
      if (fragments.size() > MAX_FRAGMENTS) {
        throw new IllegalArgumentException(
            format(
                "%,d fragments exceed the limit of %,d: cut larger fragments",
                fragments.size(), MAX_FRAGMENTS));
      }
    }

    /** A copy within another trace, or none. */
    public Commit withTrace(@Nullable TraceContext within) {
      return new Commit(
          transaction,
          token,
          acknowledgement,
          onConflict,
          serializable,
          app,
          madeUntil,
          fragments,
          within);
    }

    @Override
    public boolean isSameAs(@Nullable TransactionRequest other) {
      return other instanceof Commit commit && commit.withTrace(trace).equals(this);
    }

    @Override
    public ByteBuffer toFrame() {
      byte[] name = app == null ? new byte[0] : app.app().getBytes(StandardCharsets.US_ASCII);
      byte[] tables = app == null ? new byte[0] : app.tableBytes();
      int traceBytes = trace == null ? 0 : TraceContext.BYTES;
      return ControlFrame.of(
          FrameType.COMMIT,
          0,
          FIXED_BYTES + name.length + tables.length + traceBytes + fragments.size() * 16,
          payload -> {
            put(payload, transaction);
            token.write(payload);
            payload
                .put((byte) acknowledgement.id())
                .put((byte) onConflict.id())
                .put((byte) (serializable ? 1 : 0))
                .put((byte) name.length)
                .putLong(app == null ? 0 : app.version())
                .putLong(madeUntil)
                .put((byte) traceBytes)
                .putShort((short) tables.length)
                .put(name)
                .put(tables);
            if (trace != null) {
              trace.write(payload);
            }
            fragments.forEach(fragment -> put(payload, fragment));
          });
    }

    private static Commit read(UUID transaction, ByteBuffer payload) throws ShipmentException {
      if (payload.remaining() < FIXED_BYTES - 16) {
        ControlFrame.requirePayload(payload, FIXED_BYTES - 16);
      }
      Token token = Token.read(payload);
      Acknowledgement acknowledgement = Acknowledgement.ofId(payload.get() & 0xFF);
      OnConflict onConflict = OnConflict.ofId(payload.get() & 0xFF);
      int serializable = payload.get();
      byte[] name = new byte[payload.get() & 0xFF];
      long version = payload.getLong();
      long madeUntil = payload.getLong();
      int traceBytes = payload.get() & 0xFF;
      byte[] tables = new byte[payload.getShort() & 0xFFFF];
      int idBytes = payload.remaining() - name.length - tables.length - traceBytes;
      boolean isTrace = traceBytes == 0 || traceBytes == TraceContext.BYTES;
      boolean isApp = name.length > 0 || tables.length == 0;
      if (serializable >>> 1 != 0 || !isTrace || !isApp || idBytes < 0 || idBytes % 16 != 0) {
        throw new ShipmentException(
            Fault.BAD_FRAME,
            format(
                "a commit has %d as isolation, %d bytes of an application, %,d of tables, %d of a"
                    + " trace and %,d of ids",
                serializable, name.length, tables.length, traceBytes, idBytes));
      }
      payload.get(name).get(tables);
      TraceContext trace = traceBytes == 0 ? null : TraceContext.read(payload);
      List<UUID> fragments = new ArrayList<>(idBytes / 16);
      while (payload.hasRemaining()) {
        fragments.add(id(payload));
      }
      AppVersion app =
          name.length == 0
              ? null
              : new AppVersion(
                  new String(name, StandardCharsets.US_ASCII),
                  version,
                  AppVersion.tablesOf(tables));
      return new Commit(
          transaction,
          token,
          acknowledgement,
          onConflict,
          serializable == 1,
          app,
          madeUntil,
          fragments,
          trace);
    }
  }

  /**
   * The request in a verified payload.
   *
   * @throws ShipmentException {@code BAD_FRAME} or {@code LIMIT} if it is no valid request
   */
  static TransactionRequest ofPayload(FrameType type, ByteBuffer payload) throws ShipmentException {
    if (payload.remaining() < 32) {
      ControlFrame.requirePayload(payload, 32);
    }
    try {
      UUID transaction = id(payload);
      return switch (type) {
        case BEGIN -> begin(transaction, payload);
        case COMMIT -> Commit.read(transaction, payload);
        default -> {
          ControlFrame.requirePayload(payload, Token.BYTES);
          Token token = Token.read(payload);
          yield type == FrameType.RENEW
              ? new Renew(transaction, token)
              : new Abort(transaction, token);
        }
      };
    } catch (IllegalArgumentException e) {
      throw new ShipmentException(Fault.LIMIT, String.valueOf(e.getMessage()), e);
    }
  }

  private static Begin begin(UUID transaction, ByteBuffer payload) throws ShipmentException {
    if (payload.remaining() < 32) {
      ControlFrame.requirePayload(payload, 32);
    }
    UUID database = id(payload);
    long base = payload.getLong();
    int baseChecksum = payload.getInt();
    int leaseMs = payload.getInt();
    if (base < Begin.NEWEST || leaseMs < 0) {
      throw new ShipmentException(
          Fault.LIMIT,
          format("a transaction on snapshot %d with a lease of %,d ms", base, leaseMs));
    }
    String worker = ControlFrame.text(payload);
    Names.check("worker", worker, ShipmentHeader.MAX_WORKER_CHARS);
    return new Begin(
        transaction,
        database.equals(new UUID(0, 0)) ? null : database,
        base,
        baseChecksum,
        Duration.ofMillis(leaseMs),
        worker);
  }

  private static ByteBuffer named(FrameType type, UUID transaction, Token token) {
    return ControlFrame.of(
        type,
        0,
        16 + Token.BYTES,
        payload -> {
          put(payload, transaction);
          token.write(payload);
        });
  }

  private static void put(ByteBuffer payload, UUID id) {
    payload.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
  }

  private static UUID id(ByteBuffer payload) {
    return new UUID(payload.getLong(), payload.getLong());
  }
}
