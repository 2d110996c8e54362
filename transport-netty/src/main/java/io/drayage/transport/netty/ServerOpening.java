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
 * A request for a shipment that waits for room: its connection gets heartbeats meanwhile, the first
 * of them at once, so that its worker knows. Ends when there is room, the worker gives up or its
 * patience is over. On the home loop of the shipment.
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
   * @param onRoom run when there is some, at once or later, unless it {@link #end}s before
   * @param onLate hears that the patience of the worker is over
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
   * There is room. If the request waited, the loop first reads its sockets once more, so that a
   * worker that died meanwhile {@link #end}s the request. Otherwise it would hold the room until
   * the resume window is over. (A scheduled task is not run in the round that schedules it.)
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

  /** Whether it is the request of this connection. */
  boolean isOver(ServerConnection other) {
    return connection.equals(other);
  }

  /** Answers that there will be no shipment. */
  void answer(ShipmentException cause) {
    connection.endWith(cause);
  }

  /** Stops waiting; false if it did not wait any more. */
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
