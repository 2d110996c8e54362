package io.drayage.worker;

import io.drayage.cargo.CargoCutter;
import io.drayage.cargo.ChangeCargo;
import io.drayage.coordination.Coordination;
import io.drayage.frame.Acknowledgement;
import io.drayage.frame.CommitOptions;
import io.drayage.frame.OnConflict;
import io.drayage.frame.ShipmentException;
import io.drayage.send.CargoSender;
import io.drayage.send.SendOptions;
import io.drayage.send.SendReport;
import io.drayage.trace.TraceSpan;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * Sends fragments of a transaction that another process coordinates. Needs no replica of the
 * database. Thread-safe.
 *
 * <p>A cargo is cut into pieces of about 96 MiB, so that memory is bounded at both ends however
 * large it is, if its columns are {@linkplain io.drayage.cargo.ColumnValues#onDemand made on
 * demand}. Each attempt to send a piece has an id of its own: what became of an earlier one does
 * not matter, since only fragments that the coordinator names take effect.
 */
public final class FragmentSender implements AutoCloseable {
  private static final Duration LONGEST_WAIT_FOR_ROOM = Duration.ofSeconds(5);

  private final TransactionHandle transaction;
  private final PrimarySender sender;
  private final PrimaryRequests requests;
  private final long pieceBytes;
  private final AtomicLong wireBytes = new AtomicLong();

  /** Is told how a cargo is sent, on the thread that sends it. */
  public interface Progress {
    /** A piece is sent once more, or for the first time. */
    void attempt();

    /** A piece is durable. */
    void stored(SendReport report);
  }

  private static final Progress UNWATCHED =
      new Progress() {
        @Override
        public void attempt() {}

        @Override
        public void stored(SendReport report) {}
      };

  /**
   * A sender for one transaction.
   *
   * @param coordination stays the caller's
   * @param connect creates a sender to the primary at an address; closed by this
   * @param patience how long to go on while no primary takes a fragment
   * @throws IOException if the coordination cannot be used
   */
  public FragmentSender(
      TransactionHandle transaction,
      Coordination coordination,
      Function<InetSocketAddress, CargoSender> connect,
      Duration patience)
      throws IOException {
    this(transaction, coordination, connect, patience, CargoCutter.DEFAULT_BYTES);
  }

  /**
   * The same with pieces of another size.
   *
   * @param pieceBytes about how many raw bytes a piece has
   */
  public FragmentSender(
      TransactionHandle transaction,
      Coordination coordination,
      Function<InetSocketAddress, CargoSender> connect,
      Duration patience,
      long pieceBytes)
      throws IOException {
    this.transaction = transaction;
    this.sender = new PrimarySender(coordination, connect);
    this.requests = new PrimaryRequests(sender, patience);
    this.pieceBytes = pieceBytes;
  }

  /**
   * Sends a cargo of the transaction; its id and base do not matter, but its rows are those of the
   * transaction's base. Returns when all of it is durable: it takes effect with its transaction.
   *
   * @return the ids of its fragments, in order, for the coordinator
   * @throws ShipmentException if it cannot be stored, saying why; the transaction is as it was
   */
  public List<UUID> send(ChangeCargo cargo) throws IOException, InterruptedException {
    return send(cargo, UNWATCHED);
  }

  /** As {@link #send(ChangeCargo)}, and tells how. */
  public List<UUID> send(ChangeCargo cargo, Progress progress)
      throws IOException, InterruptedException {
    TraceSpan span = TraceSpan.within(transaction.trace(), "drayage.send", System.nanoTime());
    TraceSpan.Scope current = span.makeCurrent();
    try {
      List<UUID> fragments = new ArrayList<>();
      for (ChangeCargo piece : CargoCutter.cut(cargo, pieceBytes)) {
        fragments.add(sendPiece(piece, progress));
      }
      span.end(null);
      return fragments;
    } catch (Throwable e) {
      span.end(e);
      throw e;
    } finally {
      current.close();
    }
  }

  private UUID sendPiece(ChangeCargo piece, Progress progress)
      throws IOException, InterruptedException {
    CommitOptions how =
        new CommitOptions(Acknowledgement.STORED, OnConflict.REJECT)
            .on(transaction.database(), transaction.baseChecksum())
            .of(transaction.fragment());
    SendOptions options = new SendOptions(how, SendOptions.NO_DEADLINE, LONGEST_WAIT_FOR_ROOM);
    return requests.untilAnswered(
        "a fragment of transaction " + transaction.transaction(),
        () -> {
          UUID id = UUID.randomUUID();
          progress.attempt();
          SendReport sent = sender.send(piece.as(id, transaction.base()), options).report();
          wireBytes.addAndGet(sent.wireBytes());
          progress.stored(sent);
          return id;
        });
  }

  /** The bytes of all fragments that were sent, as they were on the wire. */
  public long wireBytes() {
    return wireBytes.get();
  }

  @Override
  public void close() {
    sender.close();
  }
}
