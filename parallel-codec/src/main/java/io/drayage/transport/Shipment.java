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
 * One cargo in transit, on the worker's side. Accepts frames from any thread, with backpressure;
 * the last frame is the seal. If the shipment fails, both futures complete with the same {@link
 * ShipmentException}. Thread-safe.
 */
public interface Shipment extends AutoCloseable {
  /**
   * The number to be written into every frame: of the transactor, or 0 for a {@linkplain
   * io.drayage.frame.OpenRequest#isOfSmallCargo small cargo}.
   */
  long id();

  /**
   * Whether the transactor has accepted the shipment. A small cargo may be sent before that; then a
   * refusal of its request ends the shipment.
   */
  default boolean isAccepted() {
    return true;
  }

  /**
   * Returns the ticket for {@link TransportClient#resume} if this shipment fails with {@code
   * PEER_GONE} or {@code PEER_SILENT}; empty if the shipment cannot be resumed. May be called at
   * any time, also after the failure. After any other fault, the shipment is over for good.
   */
  default Optional<ResumeTicket> ticket() {
    return Optional.empty();
  }

  /**
   * Maximum {@link Credit#charge} of a frame of this shipment, in bytes. A shipment that asked for
   * little credit has a lower maximum than others.
   */
  default long maxFrameBytes() {
    return Credit.MAX_CHARGE_BYTES;
  }

  /** The shipment's share of the transactor's store; unknown for a resumed shipment. */
  default StoreShare store() {
    return StoreShare.UNKNOWN;
  }

  /**
   * Offers a frame, without waiting. Frames of one thread keep their order over one connection.
   * Over several connections ({@link TransportOptions#connections}), only the first frame of a
   * shipment certainly arrives before the others.
   *
   * @param frame a whole frame with its header. If the result is {@code true}, the shipment owns
   *     the lease, and releases it when the bytes have been handed to the wire or copied
   * @return false if there is no room now: the caller keeps the frame, waits with {@link
   *     #awaitReady} or {@link #whenReady}, and offers it again
   * @throws ShipmentException if the shipment is over; the caller keeps the frame. Every further
   *     call throws the same exception
   */
  boolean offer(Lease frame) throws ShipmentException;

  /**
   * Waits until {@link #offer} is worth another try. Not for event loops.
   *
   * @throws ShipmentException if the shipment is over
   */
  void awaitReady() throws ShipmentException, InterruptedException;

  /**
   * Runs {@code action} once, when {@link #offer} is worth another try or the shipment is over:
   * either immediately on this thread, or later on any thread. The action must not block.
   */
  void whenReady(Runnable action);

  /** Creates one frame after another, on the threads that write them. */
  interface Producer {
    /** Writes a frame to a connection that has nothing left to write. Must not block. */
    void produce(Consumer<Lease> connection);

    /** Ends the producer, since the shipment is over: no connection will follow. */
    void onOver(ShipmentException cause);
  }

  /**
   * Number of threads of the transport that can create frames while they have nothing to write; 0
   * if the transport has none.
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
   * @param counters count the frame, and the time without room for it
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
   * TransportClient#resume resumed}. Do not send these segments again. Send all others, and then
   * the seal, even if it was sent before. If the transactor has the whole cargo, the set also has
   * numbers that the cargo does not have. Empty for a shipment that was opened.
   */
  default BitSet received() {
    return new BitSet();
  }

  /** Completes when the transactor holds the whole cargo, decoded and verified. */
  CompletableFuture<Seal> held();

  /** Completes with the timestamp of the new snapshot when the cargo has taken effect. */
  CompletableFuture<Long> committed();

  /** Cancels the shipment, and sends the transactor the reason. Without effect after its end. */
  void cancel(ShipmentException cause);

  /** Cancels the shipment unless it is over, and closes its connections. */
  @Override
  void close();
}
