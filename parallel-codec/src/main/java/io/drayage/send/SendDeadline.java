package io.drayage.send;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.transport.Shipment;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The time limit of one call of {@link CargoSender#send}, from its beginning. When the time is
 * over, the open shipment is cancelled, which wakes the caller. Thread-safe.
 */
public final class SendDeadline implements AutoCloseable {
  private final Duration deadline;
  private final Duration patience;
  private final long beganNs = System.nanoTime();

  /** Completes with true when the time is over, with false when the call has returned before. */
  private @Nullable CompletableFuture<Boolean> alarm;

  /** Guarded by this. */
  private @Nullable Shipment current;

  /** Guarded by this. */
  private boolean over;

  /** Starts now. The caller closes the deadline when the call returns. */
  public SendDeadline(SendOptions options) {
    this.deadline = options.deadline();
    this.patience = options.patience();
    if (deadline.compareTo(SendOptions.NO_DEADLINE) < 0) {
      CompletableFuture<Boolean> timer = new CompletableFuture<>();
      alarm = timer.completeOnTimeout(true, deadline.toNanos(), TimeUnit.NANOSECONDS);
      CompletableFuture<Void> unused = timer.thenAccept(this::end);
    }
  }

  /** The remaining time in which the call may wait for room. */
  public Duration patience() {
    Duration most = patience.compareTo(deadline) < 0 ? patience : deadline;
    Duration left = most.minusNanos(System.nanoTime() - beganNs);
    return left.isNegative() ? Duration.ZERO : left;
  }

  /** Sets the shipment that is open from now on. */
  public Shipment watch(Shipment shipment) {
    boolean tooLate;
    synchronized (this) {
      current = shipment;
      tooLate = over;
    }
    if (tooLate) {
      shipment.cancel(exceeded());
    }
    return shipment;
  }

  /** Whether the time is over. */
  public synchronized boolean isOver() {
    return over;
  }

  private void end(boolean isLate) {
    if (!isLate) {
      return;
    }
    Shipment late;
    synchronized (this) {
      over = true;
      late = current;
    }
    if (late != null) {
      late.cancel(exceeded());
    }
  }

  private ShipmentException exceeded() {
    return new ShipmentException(
        Fault.CANCELLED,
        format(
            "the cargo was not sent and answered within the deadline of %,d ms"
                + " (SendOptions.deadline)",
            deadline.toMillis()));
  }

  @Override
  public void close() {
    CompletableFuture<Boolean> pending = alarm;
    if (pending != null) {
      pending.complete(false);
    }
  }
}
