package io.drayage.receive;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.memory.ByteBudget;
import io.drayage.receive.AdmissionQueue.Party;
import io.drayage.receive.AdmissionQueue.Waiter;
import io.drayage.receive.internal.ShipmentPace;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Limits the number of shipments that are received at a time, and the memory of their cargoes.
 * Shares both among workers, and ends shipments that hardly move while others wait ({@link
 * ShipmentPace}). Thread-safe.
 */
final class ReceiverQuota {
  /** Maximum number of workers that a message names. */
  private static final int MAX_NAMED = 3;

  private final int maxShipments;
  private final ByteBudget memory;
  private final LongSupplier clockNs;
  private final AtomicInteger shipments = new AtomicInteger();
  private final AdmissionQueue forShipments;
  private final AdmissionQueue forMemory;

  /** The admitted shipments. */
  private final Set<ShipmentQuota> admitted = ConcurrentHashMap.newKeySet();

  ReceiverQuota(ReceiverLimits limits, LongSupplier clockNs) {
    this.maxShipments = limits.maxShipments();
    this.memory = new ByteBudget(limits.maxReceivingBytes());
    this.clockNs = clockNs;
    this.forShipments = new AdmissionQueue(clockNs, () -> holders(quota -> true));
    this.forMemory = new AdmissionQueue(clockNs, () -> holders(ShipmentQuota::hasMemory));
  }

  private Set<Party> holders(Predicate<ShipmentQuota> something) {
    return admitted.stream()
        .filter(something)
        .map(quota -> quota.party)
        .collect(Collectors.toSet());
  }

  boolean isUnderWay(UUID transactionId) {
    return admitted.stream().anyMatch(quota -> quota.transactionId.equals(transactionId));
  }

  int shipments() {
    return shipments.get();
  }

  long memoryBytes() {
    return memory.usedBytes();
  }

  /**
   * Admits a shipment.
   *
   * @throws ShipmentException {@code BUSY} if there are too many
   */
  ShipmentQuota admit(UUID transactionId, Party party) throws ShipmentException {
    int free = maxShipments - shipments.get();
    if (!forShipments.admits(transactionId, party, free, this::tryAddShipment)) {
      throw noPlace(transactionId);
    }
    ShipmentQuota quota = new ShipmentQuota(transactionId, party);
    admitted.add(quota);
    return quota;
  }

  private ShipmentException noPlace(UUID transactionId) {
    int taken = admitted.size();
    String places =
        taken < maxShipments
            ? format("%,d of %,d places are taken", taken, maxShipments)
            : maxShipments == 1
                ? "the only place is taken"
                : format("all %,d places are taken", taken);
    return new ShipmentException(
        Fault.BUSY,
        format(
            "%s%s%s; %s (ReceiverLimits.maxShipments)",
            places,
            taken == 0 ? "" : " by " + owners("shipment", quota -> true),
            taken < maxShipments ? ", and waiting shipments go first" : "",
            whoWaits(forShipments, transactionId, "shipment")));
  }

  /** Names the owners of a resource for messages: the workers that have most, with numbers. */
  private String owners(String what, Predicate<ShipmentQuota> something) {
    Map<String, Long> counts =
        admitted.stream()
            .filter(something)
            .collect(Collectors.groupingBy(quota -> quota.party.worker(), Collectors.counting()));
    List<String> named =
        counts.entrySet().stream()
            .sorted(
                Map.Entry.<String, Long>comparingByValue()
                    .reversed()
                    .thenComparing(Map.Entry.comparingByKey()))
            .limit(MAX_NAMED)
            .map(each -> count(each.getValue(), what) + " of '" + each.getKey() + "'")
            .toList();
    int others = counts.size() - named.size();
    return String.join(", ", named)
        + (others == 0 ? "" : format(" and shipments of %,d others", others));
  }

  private String whoWaits(AdmissionQueue line, UUID transactionId, String what) {
    List<Waiter> waiting = line.waiting();
    long firstNs = waiting.isEmpty() ? 0 : clockNs.getAsLong() - waiting.get(0).sinceNs();
    boolean hasPlace =
        waiting.stream().anyMatch(waiter -> waiter.transactionId().equals(transactionId));
    return format(
        "%s, the first for %,d s%s",
        count(waiting.size(), what) + (waiting.size() == 1 ? " waits" : " wait"),
        TimeUnit.NANOSECONDS.toSeconds(firstNs),
        hasPlace ? "" : "; no more may wait, so this one has no place");
  }

  private static String count(long number, String what) {
    return format("%,d %s", number, number == 1 ? what : what + "s");
  }

  /** Returns the shipments that wait for a place or for memory, the first one first. */
  List<ShipmentProgress> waiting() {
    long nowNs = clockNs.getAsLong();
    Map<UUID, Waiter> first = new HashMap<>();
    Stream.concat(forMemory.waiting().stream(), forShipments.waiting().stream())
        .forEach(waiter -> first.putIfAbsent(waiter.transactionId(), waiter));
    admitted.forEach(quota -> first.remove(quota.transactionId));
    return first.values().stream()
        .map(
            waiter ->
                new ShipmentProgress(
                    waiter.transactionId(),
                    waiter.party().worker(),
                    0,
                    Duration.ofNanos(nowNs - waiter.sinceNs()),
                    true))
        .sorted(Comparator.comparing(ShipmentProgress::age).reversed())
        .toList();
  }

  private boolean tryAddShipment() {
    if (shipments.incrementAndGet() <= maxShipments) {
      return true;
    }
    shipments.decrementAndGet();
    return false;
  }

  /** The resources of one shipment. Thread-safe. */
  final class ShipmentQuota {
    private final UUID transactionId;
    private final Party party;
    private final ShipmentPace pace = new ShipmentPace();
    private volatile @Nullable Consumer<ShipmentException> end;
    private volatile BooleanSupplier takesBytes = () -> true;

    /** Written with the monitor. */
    private volatile long memoryBytes;

    private boolean released;

    private ShipmentQuota(UUID transactionId, Party party) {
      this.transactionId = transactionId;
      this.party = party;
    }

    private boolean hasMemory() {
      return memoryBytes > 0;
    }

    /**
     * Sets the action that ends the shipment at any time, if it is too slow while others wait.
     *
     * @param keepsUp whether this node accepts bytes as fast as the shipment sends them
     */
    void endsBy(Consumer<ShipmentException> ending, BooleanSupplier keepsUp) {
      takesBytes = keepsUp;
      end = ending;
    }

    /** Whether no other shipment of its transaction is open. */
    boolean isOnlyOfItsTransaction() {
      for (ShipmentQuota quota : admitted) {
        if (quota != this && quota.transactionId.equals(transactionId)) {
          return false;
        }
      }
      return true;
    }

    /** Counts so many more of the acquired bytes as filled. */
    void moved(long bytes) {
      pace.moved(bytes);
    }

    /**
     * Acquires memory for a cargo.
     *
     * @throws ShipmentException {@code BUSY} if there is too little now, {@code LIMIT} if it can
     *     never be enough
     */
    void acquireMemory(long bytes) throws ShipmentException {
      if (!tryAcquireMemory(bytes)) {
        // Outside of the monitor: this ends other shipments, which may be ending this one.
        endTheSlow();
        throw noRoom(bytes);
      }
    }

    private synchronized boolean tryAcquireMemory(long bytes) throws ShipmentException {
      if (bytes > memory.limitBytes() - memoryBytes) {
        throw new ShipmentException(
            Fault.LIMIT,
            format(
                "the cargo needs %,d bytes of memory, more than the limit of %,d for all received cargoes",
                memoryBytes + bytes, memory.limitBytes()));
      }
      if (released || !forMemory.admits(transactionId, party, 1, () -> memory.tryAcquire(bytes))) {
        return false;
      }
      memoryBytes += bytes;
      pace.acquired(bytes, clockNs.getAsLong());
      return true;
    }

    private void endIfSlow(long nowNs) {
      Consumer<ShipmentException> ending = end;
      ShipmentException slow = ending == null ? null : pace.check(nowNs, takesBytes.getAsBoolean());
      if (ending != null && slow != null) {
        ending.accept(slow);
      }
    }

    private ShipmentException noRoom(long bytes) {
      String owners = owners("shipment", ShipmentQuota::hasMemory);
      return new ShipmentException(
          Fault.BUSY,
          format(
              "no room for %,d bytes now: %,d of %,d are taken%s; %s (ReceiverLimits.maxReceivingBytes)",
              bytes,
              memory.usedBytes(),
              memory.limitBytes(),
              owners.isEmpty() ? "" : " by " + owners,
              whoWaits(forMemory, transactionId, "shipment")));
    }

    /** Releases everything. Further calls have no effect. */
    synchronized void release() {
      if (!released) {
        released = true;
        admitted.remove(this);
        memory.release(memoryBytes);
        // Last, because nothing may be acquired any more when the count of shipments is 0.
        shipments.decrementAndGet();
      }
    }
  }

  private void endTheSlow() {
    long nowNs = clockNs.getAsLong();
    admitted.forEach(quota -> quota.endIfSlow(nowNs));
  }
}
