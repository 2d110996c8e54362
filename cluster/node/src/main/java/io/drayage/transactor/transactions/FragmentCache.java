package io.drayage.transactor.transactions;

import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ChangeCargo;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Fragments as they were decoded, as far as there is room, so that they need not be loaded when
 * their transaction is committed. No more than a cache: all of them are in the store. Thread-safe.
 */
public final class FragmentCache {
  private final long maxBytes;

  private record Cached(ChangeCargo cargo, long bytes) {}

  /** By transaction and fragment. Guarded by this, as is their sum. */
  private final Map<UUID, Map<UUID, Cached>> cached = new HashMap<>();

  private long bytes;

  /**
   * @param maxBytes how many raw bytes it keeps at most
   */
  public FragmentCache(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** Keeps a fragment, if there is room. */
  synchronized void offer(UUID transaction, ChangeCargo cargo) {
    long size = CargoSize.rawBytes(cargo);
    if (size <= maxBytes - bytes) {
      Cached before =
          cached
              .computeIfAbsent(transaction, unused -> new HashMap<>())
              .put(cargo.transactionId(), new Cached(cargo, size));
      bytes += size - (before == null ? 0 : before.bytes);
    }
  }

  /** A fragment, which is not kept any longer; null if it is not here. */
  synchronized @Nullable ChangeCargo take(UUID transaction, UUID fragment) {
    Map<UUID, Cached> own = cached.get(transaction);
    Cached found = own == null ? null : own.remove(fragment);
    if (found == null) {
      return null;
    }
    bytes -= found.bytes;
    return found.cargo;
  }

  /** Keeps nothing of a transaction any longer. */
  synchronized void drop(UUID transaction) {
    Map<UUID, Cached> own = cached.remove(transaction);
    if (own != null) {
      own.values().forEach(each -> bytes -= each.bytes);
    }
  }

  /** The raw bytes of what it keeps. */
  synchronized long bytes() {
    return bytes;
  }
}
