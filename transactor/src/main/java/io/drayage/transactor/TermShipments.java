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
 * Stands between the transport, which listens as long as the node lives, and the receiver of a term
 * as primary: takes shipments during the term only, and ends those that are under way with it.
 * Thread-safe.
 */
final class TermShipments implements ShipmentAcceptor {
  private final Supplier<String> whyNot;
  private final Set<Tracked> underWay = ConcurrentHashMap.newKeySet();
  private volatile @Nullable ShipmentAcceptor receiver;

  /**
   * @param whyNot says, in a sentence, who is primary instead
   */
  TermShipments(Supplier<String> whyNot) {
    this.whyNot = whyNot;
  }

  void begin(ShipmentAcceptor termReceiver) {
    receiver = termReceiver;
  }

  /** Takes no more shipments; those under way go on. */
  void refuse() {
    receiver = null;
  }

  /** Takes no more shipments, and ends those under way: they may be sent to the next primary. */
  void end() {
    receiver = null;
    ShipmentException over = refusal();
    underWay.forEach(shipment -> shipment.end(over));
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
    underWay.add(tracked);
    boolean accepted = false;
    try {
      ShipmentHandler handler = tracked.guard(current.accept(header, tracked));
      accepted = true;
      if (receiver != current) {
        // The term ended meanwhile, perhaps without having seen this shipment.
        tracked.end(refusal());
      }
      return handler;
    } finally {
      if (!accepted) {
        underWay.remove(tracked);
      }
    }
  }

  private final class Tracked implements ShipmentReplies {
    private final ShipmentReplies replies;

    /** Guarded by this. */
    private @Nullable ShipmentHandler handler;

    /** Why the term ended it; the handler may come after that. Guarded by this. */
    private @Nullable ShipmentException endedBy;

    Tracked(ShipmentReplies replies) {
      this.replies = replies;
    }

    void end(ShipmentException cause) {
      if (underWay.remove(this)) {
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
          receiving.onFrame(frame);
        }

        @Override
        public void onAborted(ShipmentException cause) {
          underWay.remove(Tracked.this);
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
      if (underWay.remove(this)) {
        replies.committed(snapshotTimestamp);
      }
    }

    @Override
    public void failed(ShipmentException cause) {
      if (underWay.remove(this)) {
        replies.failed(cause);
      }
    }
  }
}
