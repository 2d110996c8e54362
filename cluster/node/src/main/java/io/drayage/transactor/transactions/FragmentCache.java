package io.drayage.transactor.transactions;

import io.drayage.cargo.ChangeCargo;
import io.drayage.snapshot.SnapshotKeys.FragmentPlace;
import io.drayage.snapshot.transaction.Fragment;
import io.drayage.store.column.MemorySize;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The newest fragments of open transactions, as many as there is memory for: their records, and
 * their cargoes as they were decoded, so that they need not be loaded when their transaction is
 * committed. No more than a cache: all of them are in the store. Thread-safe.
 */
public final class FragmentCache {
  /** What the record of a fragment takes without its key, and its places here. */
  private static final int FRAGMENT_BYTES = 640;

  private final long maxBytes;

  private record Cached(Fragment fragment, ChangeCargo cargo, long bytes) {}

  /** What is kept of one transaction. */
  private static final class Own {
    private final Set<FragmentPlace> places = new HashSet<>();
    private long bytes;
  }

  /** Oldest first. Guarded by this, as is all that follows. */
  private final Map<FragmentPlace, Cached> cached = new LinkedHashMap<>();

  private final Map<UUID, Own> transactions = new HashMap<>();
  private long bytes;

  /**
   * @param maxBytes how much memory it takes at most
   */
  public FragmentCache(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** Keeps a fragment in place of the oldest ones, unless it takes more memory than all may. */
  void offer(Fragment fragment, ChangeCargo cargo) {
    long size = FRAGMENT_BYTES + fragment.cargo().data().key().length() + MemorySize.ofCargo(cargo);
    put(new Cached(fragment, cargo, size));
  }

  private synchronized void put(Cached next) {
    FragmentPlace place = next.fragment.place();
    Cached unused = remove(place);
    if (next.bytes > maxBytes) {
      return;
    }
    while (bytes > maxBytes - next.bytes) {
      Cached unusedOldest = remove(cached.keySet().iterator().next());
    }
    cached.put(place, next);
    Own own = transactions.computeIfAbsent(place.transaction(), id -> new Own());
    own.places.add(place);
    own.bytes += next.bytes;
    bytes += next.bytes;
  }

  private synchronized @Nullable Cached remove(FragmentPlace place) {
    Cached found = cached.remove(place);
    Own own = transactions.get(place.transaction());
    if (found == null || own == null) {
      return null;
    }
    bytes -= found.bytes;
    own.bytes -= found.bytes;
    own.places.remove(place);
    if (own.places.isEmpty()) {
      transactions.remove(place.transaction());
    }
    return found;
  }

  /** The record of a fragment; null if it is not here. */
  synchronized @Nullable Fragment find(FragmentPlace place) {
    Cached found = cached.get(place);
    return found == null ? null : found.fragment;
  }

  /** The cargo of a fragment, which is not kept any longer; null if it is not here. */
  @Nullable ChangeCargo take(FragmentPlace place) {
    Cached found = remove(place);
    return found == null ? null : found.cargo;
  }

  /** Keeps nothing of a transaction any longer. */
  synchronized void drop(UUID transaction) {
    Own own = transactions.remove(transaction);
    if (own != null) {
      own.places.forEach(cached::remove);
      bytes -= own.bytes;
    }
  }

  /** How much memory the fragments of a transaction take. */
  synchronized long bytes(UUID transaction) {
    Own own = transactions.get(transaction);
    return own == null ? 0 : own.bytes;
  }

  /** How much memory all of them take. */
  public synchronized long bytes() {
    return bytes;
  }
}
