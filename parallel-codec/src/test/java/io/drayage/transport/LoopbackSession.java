package io.drayage.transport;

import io.drayage.frame.Fault;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.Token;
import java.util.BitSet;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The transactor's end of a shipment that may outlive its wire: passes answers on to the shipment
 * that is connected now, and tells them again to one that takes its place. Guarded by its monitor.
 */
final class LoopbackSession implements ShipmentReplies {
  private final long id;
  private final TransportOptions options;
  private final LoopbackServer server;
  private LoopbackShipment connected;
  private @Nullable ShipmentHandler handler;
  private @Nullable Seal held;
  private @Nullable Long committed;
  private boolean over;
  private int losses;

  LoopbackSession(
      long id, TransportOptions options, LoopbackServer server, LoopbackShipment connected) {
    this.id = id;
    this.options = options;
    this.server = server;
    this.connected = connected;
  }

  synchronized LoopbackSession withHandler(ShipmentHandler accepted) {
    handler = accepted;
    return this;
  }

  synchronized ShipmentHandler handler() {
    if (handler == null) {
      throw new IllegalStateException("shipment %,d was not accepted".formatted(id));
    }
    return handler;
  }

  /** Null if the shipment cannot be resumed. */
  @Nullable ResumeTicket ticket() {
    return handler().isResumable() && !options.resumeWindow().isZero()
        ? new ResumeTicket(id, Token.NONE, options.resumeWindow())
        : null;
  }

  /** The wire is gone: waits for another one if the cause allows it. */
  void onLost(ShipmentException cause) {
    boolean lost = cause.fault() == Fault.PEER_GONE || cause.fault() == Fault.PEER_SILENT;
    int loss;
    synchronized (this) {
      loss = ++losses;
    }
    if (lost && ticket() != null) {
      server.later(options.resumeWindow(), () -> expire(loss, cause));
    } else {
      expire(loss, cause);
    }
  }

  /** Ends the shipment if it waits for another wire. */
  void abandon(ShipmentException cause) {
    int loss;
    synchronized (this) {
      if (!connected.hasEnded()) {
        return;
      }
      loss = losses;
    }
    expire(loss, cause);
  }

  private void expire(int loss, ShipmentException cause) {
    synchronized (this) {
      if (over || handler == null || losses != loss) {
        return;
      }
      over = true;
    }
    server.forget(id);
    handler().onAborted(cause);
  }

  /** What is held, once nothing of the earlier wire is undecoded. */
  BitSet settle() throws ShipmentException, InterruptedException {
    LoopbackShipment earlier;
    synchronized (this) {
      losses++;
      earlier = connected;
    }
    earlier.abort(new ShipmentException(Fault.PEER_GONE, "the shipment was resumed"));
    earlier.awaitEnd();
    try {
      BitSet received = handler().settled().get();
      earlier.awaitReleased();
      return received;
    } catch (ExecutionException e) {
      throw ShipmentException.of(e.getCause());
    } finally {
      synchronized (this) {
        losses++;
      }
    }
  }

  synchronized void connect(LoopbackShipment next) {
    connected = next;
    if (held != null) {
      next.completeHeld(held);
    }
    if (committed != null) {
      next.completeCommitted(committed);
    }
  }

  @Override
  public long shipmentId() {
    return id;
  }

  @Override
  public synchronized void held(Seal seal) {
    held = seal;
    connected.completeHeld(seal);
  }

  @Override
  public synchronized void committed(long snapshotTimestamp) {
    over = true;
    committed = snapshotTimestamp;
    connected.completeCommitted(snapshotTimestamp);
  }

  @Override
  public synchronized void failed(ShipmentException cause) {
    over = true;
    server.forget(id);
    connected.completeFailed(cause);
  }
}
