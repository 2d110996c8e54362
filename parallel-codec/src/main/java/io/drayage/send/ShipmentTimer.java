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
 * Takes the times of one shipment on the worker's side, and tells its counters, Flight Recorder and
 * the trace how far it got. Public for senders of other pipelines, whose reports are comparable
 * then. The end of the drain, and that the cargo is held, may be marked by any thread; everything
 * else is for the thread that sends.
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
  private long acceptedNs;
  private long serializedNs;

  /** A shipment that is resumed is drained more than once: the last time counts. */
  private volatile long drainedNs;

  /** Guarded by this. */
  private long heldNs = NEVER;

  /** For Flight Recorder. Guarded by this, as is the event of the phase. */
  private Phase phase = Phase.REQUEST;

  private PhaseEvent event = begun();

  private final TraceSpan span = TraceSpan.begin("drayage.shipment", requestedNs);
  private long phaseNs = requestedNs;

  /**
   * To be made right before the shipment is opened.
   *
   * @param metrics hear what becomes of it
   */
  public ShipmentTimer(DrayageMetrics metrics) {
    this(metrics, 0);
  }

  /**
   * To be made right before the shipment is opened, of a cargo that is partly serialized already.
   *
   * @param metrics hear what becomes of it
   * @param preparedNs the time that this took; part of {@link SendReport#serializeNs}
   */
  ShipmentTimer(DrayageMetrics metrics, long preparedNs) {
    this.metrics = metrics;
    this.preparedNs = preparedNs;
  }

  /** The header of the shipment, with the trace within which it is made. */
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
   * Ends the phase. One that comes out of order, because an answer overtook the end of a write or
   * the shipment was resumed, changes nothing.
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
   * It ended without the answer that it was committed.
   *
   * @return what to throw: the same with the outcome that this end knows. Without a seal nothing
   *     can have been applied; with one, only the transactor can tell
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
   * The sending thread was interrupted. An {@link InterruptedException} says that nothing was
   * applied; it must not hide that something may be.
   *
   * @return what to throw if the seal was sent; the thread is interrupted again then
   * @throws InterruptedException if it was not
   */
  public ShipmentException interrupted(InterruptedException cause) throws InterruptedException {
    ShipmentException end =
        failed(
            new ShipmentException(
                Fault.CANCELLED,
                sealed
                    ? "interrupted when the whole cargo had been sent: it may take effect"
                    : "interrupted",
                cause));
    if (!sealed) {
      throw cause;
    }
    Thread.currentThread().interrupt();
    return end;
  }

  /** The transactor has accepted, and serialization starts. */
  public void markAccepted() {
    acceptedNs = System.nanoTime();
    reach(Phase.SERIALIZE);
    metrics.shipments().count(Metric.OPENED);
  }

  /** The last segment or chunk has been made. */
  public void markSerialized() {
    serializedNs = System.nanoTime();
    reach(Phase.DRAIN);
  }

  /** The transport has accepted a seal: from now on the cargo may take effect. */
  public void markSealed() {
    sealed = true;
  }

  /** The last frame has been handed to the wire. */
  public void markDrained() {
    drainedNs = System.nanoTime();
    reach(Phase.DECODE);
  }

  /**
   * Waits until the transactor has committed.
   *
   * @param seal what was sent, to be compared with what the transactor has received
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

  /** On any thread. */
  private void onHeld(Shipment shipment, Seal sent, Seal held) {
    try {
      sent.requireSameAs(held);
      long unused = markHeld();
    } catch (ShipmentException e) {
      shipment.cancel(e); // Wakes the caller.
    }
  }

  /** The transactor holds the whole cargo. On any thread; the first time counts. */
  private synchronized long markHeld() {
    if (heldNs == NEVER) {
      heldNs = System.nanoTime();
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
