package io.drayage.transactor;

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
 * A cache of the newest fragments of open transactions, up to a limit of memory: their records, and
 * their decoded cargoes, so that a commit need not load them. The store has all fragments.
 * Thread-safe.
 */
final class FragmentCache {
  /** Bytes of a fragment's record without its key, and of its map entries here. */
  private static final int FRAGMENT_BYTES = 640;

  private final long maxBytes;

  private record Cached(Fragment fragment, ChangeCargo cargo, long bytes) {}

  /** The cached fragments of one transaction. */
  private static final class Own {
    private final Set<FragmentPlace> places = new HashSet<>();
    private long bytes;
  }

  /** Oldest first. Guarded by this, as are the following fields. */
  private final Map<FragmentPlace, Cached> cached = new LinkedHashMap<>();

  private final Map<UUID, Own> transactions = new HashMap<>();
  private long bytes;

  /**
   * @param maxBytes maximum memory of the cache
   */
  public FragmentCache(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** Keeps a fragment in place of the oldest ones, unless it alone exceeds the limit. */
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

  /** The record of a fragment; null if it is not cached. */
  synchronized @Nullable Fragment find(FragmentPlace place) {
    Cached found = cached.get(place);
    return found == null ? null : found.fragment;
  }

  /** Removes a fragment and returns its cargo; null if it is not cached. */
  @Nullable ChangeCargo take(FragmentPlace place) {
    Cached found = remove(place);
    return found == null ? null : found.cargo;
  }

  /** Removes all fragments of a transaction. */
  synchronized void drop(UUID transaction) {
    Own own = transactions.remove(transaction);
    if (own != null) {
      own.places.forEach(cached::remove);
      bytes -= own.bytes;
    }
  }

  /** Bytes of memory of a transaction's fragments. */
  synchronized long bytes(UUID transaction) {
    Own own = transactions.get(transaction);
    return own == null ? 0 : own.bytes;
  }

  /** Bytes of memory of all fragments. */
  public synchronized long bytes() {
    return bytes;
  }
}
