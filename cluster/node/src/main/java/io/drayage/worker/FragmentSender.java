package io.drayage.worker;

import io.drayage.cargo.CargoCutter;
import io.drayage.cargo.ChangeCargo;
import io.drayage.coordination.Coordination;
import io.drayage.frame.Acknowledgement;
import io.drayage.frame.CommitOptions;
import io.drayage.frame.OnConflict;
import io.drayage.frame.ShipmentException;
import io.drayage.internal.DaemonThreads;
import io.drayage.internal.Waits;
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
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/**
 * Sends fragments of a transaction that another process coordinates. Needs no replica of the
 * database. Thread-safe.
 *
 * <p>A cargo is cut into fragments of about 96 MiB. So memory is bounded at both ends, however
 * large the cargo is, if its columns are {@linkplain io.drayage.cargo.ColumnValues#onDemand made on
 * demand}. While the primary stores one fragment, the next is sent: two are under way at most. An
 * attempt with an unknown outcome is repeated with a new id. The first attempt does no harm, since
 * only fragments that the coordinator names take effect. A fragment that was not applied is sent
 * again with its id, which keeps its place in the queue.
 */
public final class FragmentSender implements AutoCloseable {
  /** One is sent while one is stored. */
  private static final int UNDER_WAY = 2;

  private final TransactionHandle transaction;
  private final PrimarySender sender;
  private final PrimaryRequests requests;
  private final AtomicLong wireBytes = new AtomicLong();

  /** Receives the progress of a cargo, on up to two threads at a time. */
  public interface Progress {
    /** A fragment is sent, for the first time or again. */
    void attempt();

    /** A fragment is durable. */
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
   * The options of a sender.
   *
   * @param patience how long to retry while no primary accepts a fragment
   * @param longestWait how long a fragment waits while the primary answers {@code BUSY}, such as
   *     for a free place among the shipments; this time does not count against the patience
   */
  public record Options(Duration patience, Duration longestWait) {
    /** Creates options with {@link WorkerOptions#DEFAULT_LONGEST_WAIT}. */
    public Options(Duration patience) {
      this(patience, WorkerOptions.DEFAULT_LONGEST_WAIT);
    }
  }

  /** Creates a sender with the default {@link Options} and a patience. */
  public FragmentSender(
      TransactionHandle transaction,
      Coordination coordination,
      Function<InetSocketAddress, CargoSender> connect,
      Duration patience)
      throws IOException {
    this(transaction, coordination, connect, new Options(patience));
  }

  /**
   * Creates a sender for one transaction.
   *
   * @param coordination owned by the caller
   * @param connect creates a sender to the primary at an address; closed by this
   * @throws IOException if the coordination cannot be used
   */
  public FragmentSender(
      TransactionHandle transaction,
      Coordination coordination,
      Function<InetSocketAddress, CargoSender> connect,
      Options options)
      throws IOException {
    this.transaction = transaction;
    this.sender = new PrimarySender(coordination, connect);
    this.requests = new PrimaryRequests(sender, options.patience, options.longestWait);
  }

  /**
   * Sends a cargo, whose rows must be those of the transaction's base; its id and base do not
   * matter. Returns when all of it is durable. It takes effect with its transaction.
   *
   * @return the ids of its fragments, in order, for the coordinator
   * @throws ShipmentException if it cannot be stored; names the reason; the transaction is
   *     unchanged
   */
  public List<UUID> send(ChangeCargo cargo) throws IOException, InterruptedException {
    return send(CargoCutter.cut(cargo, CargoCutter.DEFAULT_BYTES), UNWATCHED);
  }

  /**
   * Sends cargoes that are cut already: each is one fragment. Otherwise as {@link
   * #send(ChangeCargo)}.
   */
  public List<UUID> send(List<ChangeCargo> pieces) throws IOException, InterruptedException {
    return send(pieces, UNWATCHED);
  }

  /** Sends cargoes that are cut already, and reports the progress. */
  public List<UUID> send(List<ChangeCargo> pieces, Progress progress)
      throws IOException, InterruptedException {
    TraceSpan span = TraceSpan.within(transaction.trace(), "drayage.send", System.nanoTime());
    try {
      List<UUID> fragments = new Pieces(progress, span).sendAll(pieces);
      span.end(null);
      return fragments;
    } catch (Throwable e) {
      span.end(e);
      throw e;
    }
  }

  /**
   * The fragments of one cargo. One is sent while another one is stored, or is sent again.
   * Thread-safe.
   */
  private final class Pieces {
    private final Progress progress;
    private final TraceSpan span;

    /** Held by the fragment that is being sent. */
    private final Semaphore wire = new Semaphore(1);

    Pieces(Progress progress, TraceSpan span) {
      this.progress = progress;
      this.span = span;
    }

    List<UUID> sendAll(List<ChangeCargo> pieces) throws IOException, InterruptedException {
      if (pieces.size() == 1) {
        return List.of(sendPiece(pieces.get(0)));
      }
      ExecutorService threads =
          Executors.newFixedThreadPool(UNDER_WAY, new DaemonThreads("drayage-fragment"));
      try {
        CompletionService<UUID> sending = new ExecutorCompletionService<>(threads);
        List<Future<UUID>> sent =
            pieces.stream().map(piece -> sending.submit(() -> sendPiece(piece))).toList();
        for (int i = 0; i < sent.size(); i++) {
          UUID unused = get(sending.take()); // The first failure ends the loop.
        }
        List<UUID> fragments = new ArrayList<>();
        for (Future<UUID> each : sent) {
          fragments.add(get(each));
        }
        return fragments;
      } finally {
        end(threads);
      }
    }

    private UUID get(Future<UUID> sent) throws IOException, InterruptedException {
      try {
        return sent.get();
      } catch (ExecutionException e) {
        Throwable cause = e.getCause();
        if (cause instanceof ShipmentException failure) {
          throw failure.again();
        }
        if (cause instanceof IOException failure) {
          throw failure;
        }
        if (cause instanceof Error failure) {
          throw failure;
        }
        throw cause instanceof RuntimeException failure
            ? failure
            : new IllegalStateException(cause);
      }
    }

    /** Ends the threads. Afterwards nothing reads the cargo any more. */
    private void end(ExecutorService threads) {
      threads.shutdownNow();
      Waits.uninterrupted(
          () -> {
            boolean ended = false;
            while (!ended) {
              ended = threads.awaitTermination(1, TimeUnit.DAYS);
            }
          });
    }

    private UUID sendPiece(ChangeCargo piece) throws IOException, InterruptedException {
      wire.acquire(); // Acquired before patience begins, which is for primaries.
      AtomicBoolean holds = new AtomicBoolean(true);
      Runnable pass =
          () -> {
            if (holds.getAndSet(false)) {
              wire.release();
            }
          };
      TraceSpan.Scope current = span.makeCurrent();
      try {
        AtomicReference<UUID> id = new AtomicReference<>(UUID.randomUUID());
        return requests.untilAnswered(
            "a fragment of transaction " + transaction.transaction(),
            () -> attempt(piece, id, pass));
      } finally {
        current.close();
        pass.run();
      }
    }

    /**
     * @param id changes if the outcome is unknown: a fragment with it may still be stored, with
     *     other bytes
     * @param pass releases {@link #wire}, if this holds it: a failed fragment waits, and must not
     *     delay others
     */
    private UUID attempt(ChangeCargo piece, AtomicReference<UUID> id, Runnable pass)
        throws IOException, InterruptedException {
      try {
        progress.attempt();
        ChangeCargo fragment = piece.as(id.get(), transaction.base());
        SendReport report = sender.send(fragment, options(pass)).report();
        wireBytes.addAndGet(report.wireBytes());
        progress.stored(report);
        return id.get();
      } catch (ShipmentException e) {
        if (mayBeStored(e)) {
          id.set(UUID.randomUUID());
        }
        throw e;
      } finally {
        pass.run();
      }
    }

    private static boolean mayBeStored(ShipmentException failure) {
      return failure.outcome() == ShipmentException.Outcome.UNKNOWN;
    }

    private SendOptions options(Runnable whenSent) {
      CommitOptions how =
          new CommitOptions(Acknowledgement.STORED, OnConflict.REJECT)
              .on(transaction.database(), transaction.baseChecksum())
              .of(transaction.fragment());
      return new SendOptions(how, SendOptions.NO_DEADLINE, requests.waitOfAnAttempt(), whenSent);
    }
  }

  /** The bytes of all sent fragments, as they were on the wire. */
  public long wireBytes() {
    return wireBytes.get();
  }

  @Override
  public void close() {
    sender.close();
  }
}
