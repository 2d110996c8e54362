package io.drayage.transport;

import io.drayage.frame.Credit;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.StoreShare;
import io.drayage.memory.Lease;
import io.drayage.metrics.Counters;
import io.drayage.metrics.Metric;
import java.util.BitSet;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * One cargo in transit, on the worker's side. Takes frames under back-pressure from any thread; the
 * last one is the seal. If the shipment fails, both futures complete with the same {@link
 * ShipmentException}. Thread-safe.
 */
public interface Shipment extends AutoCloseable {
  /** The number that the transactor gave the shipment, to be written into every frame. */
  long id();

  /**
   * What {@link TransportClient#resume} needs if this shipment fails with {@code PEER_GONE} or
   * {@code PEER_SILENT}; empty if it cannot be resumed. May be asked at any time, also after the
   * failure. After any other fault, the shipment is over for good.
   */
  default Optional<ResumeTicket> ticket() {
    return Optional.empty();
  }

  /**
   * How many bytes a frame of this shipment may have, as a {@link Credit#charge}: less than others
   * if it asked for little credit.
   */
  default long maxFrameBytes() {
    return Credit.MAX_CHARGE_BYTES;
  }

  /** What the transactor's store does with its bytes; of a shipment that was resumed, unknown. */
  default StoreShare store() {
    return StoreShare.UNKNOWN;
  }

  /**
   * Offers a frame, without waiting. Frames of one thread keep their order over one connection.
   * Over several ({@link TransportOptions#connections}) only the first frame of a shipment is sure
   * to arrive before the others.
   *
   * @param frame a whole frame, header written. Ownership passes with {@code true}: the lease is
   *     released when its bytes have been handed to the wire or copied
   * @return false if there is no room now: the caller keeps the frame, waits with {@link
   *     #awaitReady} or {@link #whenReady}, and offers it again
   * @throws ShipmentException if the shipment is over; the caller keeps the frame. The same
   *     exception on every further call
   */
  boolean offer(Lease frame) throws ShipmentException;

  /**
   * Waits until {@link #offer} is worth another try. Not for event loops.
   *
   * @throws ShipmentException if the shipment is over
   */
  void awaitReady() throws ShipmentException, InterruptedException;

  /**
   * Runs {@code action} when {@link #offer} is worth another try, or the shipment is over: once, at
   * once on this thread or later on any. It must not block.
   */
  void whenReady(Runnable action);

  /** Makes one frame after another, on the threads that write them. */
  interface Producer {
    /** A connection has nothing left to write: a frame for it may be written. Must not block. */
    void produce(Consumer<Lease> connection);

    /** The shipment is over: there will be no connection to write to. */
    void onOver(ShipmentException cause);
  }

  /**
   * How many threads of the transport can make frames while they have nothing to write; 0 if it has
   * none for that.
   */
  default int producerThreads() {
    return 0;
  }

  /** Calls the producer once: when a connection has nothing to write, or the shipment is over. */
  default void whenIdle(Producer producer) {
    throw new UnsupportedOperationException("frames are not made by the threads that write them");
  }

  /**
   * Offers {@code frame} until it is accepted. Owns the frame in any case. Not for event loops.
   *
   * @param counters count the frame, and how long there was no room for it
   */
  default void send(Lease frame, Counters counters) throws ShipmentException, InterruptedException {
    long bytes = frame.remainingBytes();
    boolean accepted = false;
    try {
      accepted = offer(frame);
      while (!accepted) {
        long fullNs = System.nanoTime();
        awaitReady();
        counters.count(
            Metric.TRANSPORT_WAITS, Metric.TRANSPORT_WAIT_NS, System.nanoTime() - fullNs);
        accepted = offer(frame);
      }
    } finally {
      if (!accepted) {
        frame.release();
      }
    }
    counters.count(Metric.SENT_FRAMES, Metric.SENT_BYTES, bytes);
  }

  /**
   * The numbers of the segments that the transactor had decoded when this shipment was {@linkplain
   * TransportClient#resume resumed}: they must not be sent again. All others must, and then the
   * seal, even if it was sent before. If the transactor has the whole cargo, then also numbers that
   * the cargo does not have. Empty for a shipment that was opened.
   */
  default BitSet received() {
    return new BitSet();
  }

  /** Completes when the transactor holds the whole cargo, decoded and verified. */
  CompletableFuture<Seal> held();

  /** Completes with the new snapshot's timestamp when the cargo has taken effect. */
  CompletableFuture<Long> committed();

  /** Gives the shipment up and tells the transactor why. Without effect on one that is over. */
  void cancel(ShipmentException cause);

  /** Cancels the shipment unless it is over, and closes its connections. */
  @Override
  void close();
}
