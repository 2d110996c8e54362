package io.drayage.send;

import io.drayage.frame.Fault;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.frame.TraceContext;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.metrics.Metric;
import io.drayage.trace.TraceSpan;
import io.drayage.transport.Shipment;
import java.util.Locale;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Measures the times of one shipment on the worker's side, and reports its progress to its
 * counters, Flight Recorder and the trace. Public for senders of other pipelines, so that their
 * reports are comparable. Any thread may mark the end of the drain, and that the cargo is held. The
 * sending thread calls all other methods.
 */
public final class ShipmentTimer {
  private enum Phase {
    REQUEST,
    SERIALIZE,
    DRAIN,
    DECODE,
    APPLY,
    DONE;

    private String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private static final long NEVER = Long.MIN_VALUE;

  private final DrayageMetrics metrics;
  private final long requestedNs = System.nanoTime();
  private final long preparedNs;
  private boolean sealed;

  /** Whether the shipment is counted as opened. Guarded by this. */
  private boolean opened;

  private long acceptedNs;
  private long serializedNs;

  /** The end of the drain. A resumed shipment is drained more than once: the last time counts. */
  private volatile long drainedNs;

  /** Guarded by this. */
  private long heldNs = NEVER;

  /** The phase for Flight Recorder. Guarded by this, like the event of the phase. */
  private Phase phase = Phase.REQUEST;

  private PhaseEvent event = begun();

  private final TraceSpan span = TraceSpan.begin("drayage.shipment", requestedNs);
  private long phaseNs = requestedNs;

  /**
   * Starts the times. Call this immediately before the shipment is opened.
   *
   * @param metrics count the outcome
   */
  public ShipmentTimer(DrayageMetrics metrics) {
    this(metrics, 0);
  }

  /**
   * Starts the times of a partly serialized cargo, immediately before its shipment is opened.
   *
   * @param metrics count the outcome
   * @param preparedNs the time of the partial serialization; part of {@link SendReport#serializeNs}
   */
  ShipmentTimer(DrayageMetrics metrics, long preparedNs) {
    this.metrics = metrics;
    this.preparedNs = preparedNs;
  }

  /** Returns the header of the shipment, with the trace to which the shipment belongs. */
  public ShipmentHeader traced(ShipmentHeader header) {
    TraceContext context = span.context();
    span.name(header);
    return context == null ? header : header.withTrace(context);
  }

  private static PhaseEvent begun() {
    PhaseEvent event = new PhaseEvent();
    event.begin();
    return event;
  }

  /**
   * Ends the phase. A phase out of order has no effect. That happens if an answer overtook the end
   * of a write, or the shipment was resumed.
   */
  private synchronized void reach(Phase next) {
    if (next.compareTo(phase) <= 0) {
      return;
    }
    event.phase = phase.text();
    event.commit();
    long nowNs = System.nanoTime();
    span.phase(phase.text(), phaseNs, nowNs);
    phase = next;
    phaseNs = nowNs;
    event = begun();
  }

  /**
   * Ends the times of a shipment without the answer that it was committed.
   *
   * @return the exception to throw: the same with the outcome that this end knows. Without a seal,
   *     nothing can have been applied; with a seal, only the transactor knows the outcome
   */
  public synchronized ShipmentException failed(ShipmentException cause) {
    ShipmentException known = cause;
    if (!sealed) {
      known = cause.withOutcome(ShipmentException.Outcome.NOT_APPLIED);
    } else if (!cause.isStatedByPeer()) {
      known = cause.withOutcome(ShipmentException.Outcome.UNKNOWN);
    }
    metrics.addFailed(known.fault());
    if (phase != Phase.DONE) {
      span.phase(phase.text(), phaseNs, System.nanoTime(), known);
    }
    span.end(known);
    return known;
  }

  /**
   * Ends the times because the sending thread was interrupted. An {@link InterruptedException}
   * states that nothing was applied, so it is thrown only if that is certain.
   *
   * @return the exception to throw if the seal was sent; the thread is interrupted again then
   * @throws InterruptedException if the seal was not sent
   */
  public ShipmentException interrupted(InterruptedException cause) throws InterruptedException {
    ShipmentException end =
        failed(
            new ShipmentException(
                Fault.CANCELLED,
                sealed
                    ? "interrupted after the whole cargo was sent: the cargo may take effect"
                    : "interrupted",
                cause));
    if (!sealed) {
      throw cause;
    }
    Thread.currentThread().interrupt();
    return end;
  }

  /** Marks that the transactor has accepted, and serialization starts. */
  public void markAccepted() {
    markSentWithRequest();
    countOpened();
  }

  /** Marks that serialization starts, because the cargo is sent together with the request. */
  void markSentWithRequest() {
    acceptedNs = System.nanoTime();
    reach(Phase.SERIALIZE);
  }

  private synchronized void countOpened() {
    if (!opened) {
      opened = true;
      metrics.shipments().count(Metric.OPENED);
    }
  }

  /** Marks that the last segment or chunk has been encoded. */
  public void markSerialized() {
    serializedNs = System.nanoTime();
    reach(Phase.DRAIN);
  }

  /** Marks that the transport has accepted a seal: from now on the cargo may take effect. */
  public void markSealed() {
    sealed = true;
  }

  /** Marks that the last frame has been handed to the wire. */
  public void markDrained() {
    drainedNs = System.nanoTime();
    reach(Phase.DECODE);
  }

  /**
   * Waits until the transactor has committed.
   *
   * @param seal of the sent frames, to be compared with the seal of the received frames
   * @param wireBytes bytes of all frames sent
   */
  public SendReport awaitCommit(Shipment shipment, Seal seal, long wireBytes)
      throws ShipmentException, InterruptedException {
    beginHeld();
    // Wakes the caller once, at the commit, which comes after HELD.
    CompletableFuture<Void> unused =
        shipment.held().thenAccept(held -> onHeld(shipment, seal, held));
    long timestamp = await(shipment.committed());
    long committedNs = System.nanoTime();
    seal.requireSameAs(await(shipment.held()));
    long heldSinceNs = markHeld();
    reach(Phase.DONE);
    metrics.shipments().count(Metric.COMMITTED);
    span.put("drayage.snapshot", timestamp);
    span.put("drayage.wire.bytes", wireBytes);
    span.end(null);
    // The transactor's answer may overtake the local completion of the last write.
    long marked = drainedNs;
    long drained = marked - serializedNs >= 0 && marked - heldSinceNs < 0 ? marked : heldSinceNs;
    return new SendReport(
        timestamp,
        wireBytes,
        seal.frameCount(),
        acceptedNs - requestedNs,
        preparedNs + serializedNs - acceptedNs,
        drained - serializedNs,
        heldSinceNs - drained,
        committedNs - heldSinceNs,
        0,
        0);
  }

  private synchronized void beginHeld() {
    heldNs = NEVER;
  }

  /** Compares the seals. On any thread. */
  private void onHeld(Shipment shipment, Seal sent, Seal held) {
    try {
      sent.requireSameAs(held);
      long unused = markHeld();
    } catch (ShipmentException e) {
      shipment.cancel(e); // Wakes the caller.
    }
  }

  /** Marks that the transactor holds the whole cargo. On any thread; the first time counts. */
  private synchronized long markHeld() {
    if (heldNs == NEVER) {
      heldNs = System.nanoTime();
      countOpened();
      reach(Phase.APPLY);
      metrics.shipments().count(Metric.HELD);
    }
    return heldNs;
  }

  private static <T> T await(CompletableFuture<T> answer)
      throws ShipmentException, InterruptedException {
    try {
      return answer.get();
    } catch (ExecutionException e) {
      throw ShipmentException.of(e.getCause()).again();
    } catch (CancellationException e) {
      throw new ShipmentException(Fault.CANCELLED, "the shipment was cancelled", e);
    }
  }
}
