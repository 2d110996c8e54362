package io.drayage.transport.netty;

import static io.drayage.internal.Texts.format;

import io.drayage.transport.PeerLimits;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Limits the shipments and the credit on one server, for each peer and in sum.
 *
 * <p>A request that finds no room waits in FIFO order, without a thread, so that small requests do
 * not starve a large one. A peer at its own limit delays only its own requests. A waiting request
 * holds no place, so no other request waits for it. It may have sent a small cargo of 16 KiB.
 *
 * <p>Thread-safe.
 */
final class PeerQuotas {
  private final PeerLimits limits;
  private final long budgetBytes;
  private final Map<InetAddress, Use> uses = new HashMap<>();

  /** Waiting requests, in FIFO order; requests of running shipments precede those of new ones. */
  private final List<Request> waiting = new ArrayList<>();

  private long bytes;

  private static final class Use {
    private int shipments;
    private long bytes;
  }

  /**
   * A request for credit, and for a place if the shipment begins. Equal only to itself.
   *
   * <p>The caller returns the credit by {@link #release}, and the place by {@link #removeShipment}.
   */
  static final class Request {
    private final InetAddress peer;
    private final boolean begins;
    private final long bytes;
    private final Consumer<Request> onAcquired;

    /**
     * @param begins whether the request is for a new shipment, which needs a place
     * @param onAcquired receives this request once, on any thread; must not block
     */
    Request(InetAddress peer, boolean begins, long bytes, Consumer<Request> onAcquired) {
      this.peer = peer;
      this.begins = begins;
      this.bytes = bytes;
      this.onAcquired = onAcquired;
    }
  }

  /**
   * @param budgetBytes credit of all shipments together
   */
  PeerQuotas(PeerLimits limits, long budgetBytes) {
    this.limits = limits;
    this.budgetBytes = budgetBytes;
  }

  /**
   * Acquires as soon as there is room and no earlier request waits.
   *
   * @return false if the request waits
   */
  boolean acquire(Request request) {
    List<Request> served;
    synchronized (this) {
      waiting.add(request.begins ? waiting.size() : firstBeginning(), request);
      served = serve();
    }
    served.forEach(next -> next.onAcquired.accept(next));
    return served.contains(request);
  }

  private int firstBeginning() {
    int index = 0;
    while (index < waiting.size() && !waiting.get(index).begins) {
      index++;
    }
    return index;
  }

  /** Withdraws a request; false if it was acquired before, so that the caller must release it. */
  boolean withdraw(Request request) {
    List<Request> served;
    synchronized (this) {
      if (!waiting.remove(request)) {
        return false;
      }
      served = serve();
    }
    served.forEach(next -> next.onAcquired.accept(next));
    return true;
  }

  /** Acquires more bytes for a shipment, if there is room and no request waits. */
  synchronized boolean tryAcquire(InetAddress peer, long wanted) {
    Request more = new Request(peer, false, wanted, acquired -> {});
    if (!waiting.isEmpty() || !hasRoomAtPeer(more) || !hasRoomInBudget(more)) {
      return false;
    }
    charge(more);
    return true;
  }

  /** Releases bytes that were acquired. */
  void release(InetAddress peer, long acquired) {
    release(peer, 0, acquired);
  }

  /** Releases the place of a shipment. */
  void removeShipment(InetAddress peer) {
    release(peer, 1, 0);
  }

  private void release(InetAddress peer, int places, long acquired) {
    List<Request> served;
    synchronized (this) {
      Use use = use(peer);
      use.shipments -= places;
      use.bytes -= acquired;
      bytes -= acquired;
      forgetIfUnused(peer, use);
      served = serve();
    }
    served.forEach(next -> next.onAcquired.accept(next));
  }

  /** Serves waiting requests as far as there is room. The caller holds the monitor. */
  private List<Request> serve() {
    if (waiting.isEmpty()) {
      return List.of();
    }
    List<Request> served = new ArrayList<>();
    Set<InetAddress> full = new HashSet<>();
    for (Iterator<Request> next = waiting.iterator(); next.hasNext(); ) {
      Request request = next.next();
      if (full.contains(request.peer)) {
        continue;
      }
      if (!hasRoomAtPeer(request)) {
        full.add(request.peer);
      } else if (hasRoomInBudget(request)) {
        charge(request);
        next.remove();
        served.add(request);
      } else {
        break; // Later requests wait too, or they would starve it.
      }
    }
    return served;
  }

  private boolean hasRoomAtPeer(Request request) {
    Use use = uses.get(request.peer);
    return use == null
        || ((!request.begins || use.shipments < limits.maxShipmentsPerPeer())
            && request.bytes <= limits.maxBytesPerPeer() - use.bytes);
  }

  private boolean hasRoomInBudget(Request request) {
    return request.bytes <= budgetBytes - bytes;
  }

  private void charge(Request request) {
    Use use = uses.computeIfAbsent(request.peer, address -> new Use());
    use.shipments += request.begins ? 1 : 0;
    use.bytes += request.bytes;
    bytes += request.bytes;
  }

  /** Returns the limit for which a request waits, or would wait. */
  synchronized String shortage(Request request) {
    Use known = uses.get(request.peer);
    Use use = known == null ? new Use() : known;
    if (request.begins && use.shipments >= limits.maxShipmentsPerPeer()) {
      return format(
          "%,d shipments from %s already, the limit is %,d (PeerLimits.maxShipmentsPerPeer)",
          use.shipments, request.peer, limits.maxShipmentsPerPeer());
    }
    if (request.bytes > limits.maxBytesPerPeer() - use.bytes) {
      return format(
          "no room for a window of %,d bytes: %s uses %,d, the limit of a peer is %,d (PeerLimits.maxBytesPerPeer)",
          request.bytes, request.peer, use.bytes, limits.maxBytesPerPeer());
    }
    return format(
        "no room for a window of %,d bytes: %,d of %,d are used by other shipments (TransportOptions.serverBudgetBytes), %,d wait",
        request.bytes, bytes, budgetBytes, waiting.size());
  }

  private Use use(InetAddress peer) {
    Use use = uses.get(peer);
    if (use == null) {
      throw new IllegalStateException(peer + " uses nothing");
    }
    return use;
  }

  private void forgetIfUnused(InetAddress peer, Use use) {
    if (use.shipments == 0 && use.bytes == 0) {
      uses.remove(peer);
    }
  }
}
