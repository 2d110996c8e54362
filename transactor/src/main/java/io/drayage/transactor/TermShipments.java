package io.drayage.transactor;

import io.drayage.frame.Fault;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.memory.Lease;
import io.drayage.transport.ShipmentAcceptor;
import io.drayage.transport.ShipmentHandler;
import io.drayage.transport.ShipmentReplies;
import java.util.BitSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Passes shipments from the transport, which listens throughout the node's life, to the receiver of
 * the current term as primary. Accepts shipments only during a term, and ends those in progress
 * with it. Thread-safe.
 */
final class TermShipments implements ShipmentAcceptor {
  private final Supplier<String> whyNot;
  private final Set<Tracked> inProgress = ConcurrentHashMap.newKeySet();
  private volatile @Nullable ShipmentAcceptor receiver;

  /**
   * @param whyNot describes, in a sentence, who is primary instead
   */
  TermShipments(Supplier<String> whyNot) {
    this.whyNot = whyNot;
  }

  void begin(ShipmentAcceptor termReceiver) {
    receiver = termReceiver;
  }

  /** Accepts no more shipments; those in progress continue. */
  void refuse() {
    receiver = null;
  }

  /**
   * Accepts no more shipments, and ends those in progress, which may be sent to the next primary.
   */
  void end() {
    receiver = null;
    ShipmentException over = refusal();
    inProgress.forEach(shipment -> shipment.end(over));
  }

  private ShipmentException refusal() {
    return new ShipmentException(
        Fault.CANCELLED, "this transactor is not the primary now: " + whyNot.get());
  }

  @Override
  public ShipmentHandler accept(ShipmentHeader header, ShipmentReplies replies)
      throws ShipmentException {
    ShipmentAcceptor current = receiver;
    if (current == null) {
      throw refusal();
    }
    Tracked tracked = new Tracked(replies);
    inProgress.add(tracked);
    boolean accepted = false;
    try {
      ShipmentHandler handler = tracked.guard(current.accept(header, tracked));
      accepted = true;
      CrashPoint.REQUESTED.reach();
      if (receiver != current) {
        // The term has ended meanwhile, perhaps before this shipment was added.
        tracked.end(refusal());
      }
      return handler;
    } finally {
      if (!accepted) {
        inProgress.remove(tracked);
      }
    }
  }

  private final class Tracked implements ShipmentReplies {
    private final ShipmentReplies replies;

    /** Guarded by this. */
    private @Nullable ShipmentHandler handler;

    /** Why the term ended it, perhaps before the handler was set. Guarded by this. */
    private @Nullable ShipmentException endedBy;

    Tracked(ShipmentReplies replies) {
      this.replies = replies;
    }

    void end(ShipmentException cause) {
      if (inProgress.remove(this)) {
        ShipmentHandler receiving = endBy(cause);
        if (receiving != null) {
          receiving.onAborted(cause);
        }
        replies.failed(cause);
      }
    }

    private synchronized @Nullable ShipmentHandler endBy(ShipmentException cause) {
      endedBy = cause;
      return handler;
    }

    private synchronized @Nullable ShipmentException begin(ShipmentHandler receiving) {
      handler = receiving;
      return endedBy;
    }

    ShipmentHandler guard(ShipmentHandler receiving) {
      ShipmentException tooLate = begin(receiving);
      if (tooLate != null) {
        receiving.onAborted(tooLate);
      }
      return new ShipmentHandler() {
        @Override
        public void onFrame(Lease frame) {
          CrashPoint.ARRIVING.reach();
          receiving.onFrame(frame);
        }

        @Override
        public void onAborted(ShipmentException cause) {
          inProgress.remove(Tracked.this);
          receiving.onAborted(cause);
        }

        @Override
        public boolean isResumable() {
          return receiving.isResumable();
        }

        @Override
        public CompletableFuture<BitSet> settled() {
          return receiving.settled();
        }
      };
    }

    @Override
    public long shipmentId() {
      return replies.shipmentId();
    }

    @Override
    public void held(Seal seal) {
      replies.held(seal);
    }

    @Override
    public void committed(long snapshotTimestamp) {
      if (inProgress.remove(this)) {
        replies.committed(snapshotTimestamp);
      }
    }

    @Override
    public void failed(ShipmentException cause) {
      if (inProgress.remove(this)) {
        replies.failed(cause);
      }
    }
  }
}
