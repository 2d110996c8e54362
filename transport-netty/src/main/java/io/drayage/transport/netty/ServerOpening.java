package io.drayage.transport.netty;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.ControlFrame;
import io.drayage.frame.Fault;
import io.drayage.frame.OpenRequest;
import io.drayage.frame.ShipmentException;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A request for a shipment that waits for room. Its connection sends heartbeats, the first one at
 * once, so that the worker knows of the wait. The wait ends when there is room, the worker gives up
 * or its patience is over. For the home loop of the shipment only.
 */
final class ServerOpening {
  private final CreditQuota quota;
  private final ServerConnection connection;
  private @Nullable ScheduledFuture<?> deadline;
  private boolean ended;

  ServerOpening(CreditQuota quota, ServerConnection connection) {
    this.quota = quota;
    this.connection = connection;
  }

  /**
   * Waits for room.
   *
   * @param onRoom called when there is room, at once or later, unless {@link #end} comes first
   * @param onLate called when the patience of the worker is over
   */
  void begin(
      EventLoop home, OpenRequest wanted, Runnable onRoom, Consumer<ShipmentException> onLate) {
    boolean hasRoom = quota.acquire(() -> onAcquired(home, onRoom));
    if (hasRoom) {
      return;
    }
    if (wanted.patienceMs() == 0) {
      onLate.accept(late(wanted));
      return;
    }
    connection.tell(ControlFrame.heartbeat(0));
    deadline =
        home.schedule(
            () -> onLate.accept(late(wanted)), wanted.patienceMs(), TimeUnit.MILLISECONDS);
  }

  /**
   * Continues when there is room. If the request waited, the loop first reads its sockets again, so
   * that the death of the worker {@linkplain #end ends} the request. Otherwise it would hold the
   * room until the end of the resume window. (A scheduled task is not run in the same round.)
   */
  private void onAcquired(EventLoop home, Runnable onRoom) {
    Runnable goOn =
        () -> {
          if (end()) {
            onRoom.run();
          }
        };
    if (cancelDeadline()) {
      ScheduledFuture<?> unused = home.schedule(goOn, 0, TimeUnit.NANOSECONDS);
    } else {
      goOn.run();
    }
  }

  private ShipmentException late(OpenRequest wanted) {
    return new ShipmentException(
        Fault.BUSY,
        wanted.patienceMs() == 0
            ? quota.shortage()
            : format(
                "%s, after a wait of %,d ms in this attempt",
                quota.shortage(), wanted.patienceMs()));
  }

  /** Checks whether the request came over this connection. */
  boolean isOver(ServerConnection other) {
    return connection.equals(other);
  }

  /** Answers the request with a failure. */
  void answer(ShipmentException cause) {
    connection.endWith(cause);
  }

  /** Stops the wait; false if the wait was over. */
  boolean end() {
    boolean unused = cancelDeadline();
    boolean waited = !ended;
    ended = true;
    return waited;
  }

  private boolean cancelDeadline() {
    ScheduledFuture<?> pending = deadline;
    deadline = null;
    if (pending != null) {
      pending.cancel(false);
    }
    return pending != null;
  }
}
