package io.drayage.spark.write;

import io.drayage.spark.database.DrayageOptions;
import io.drayage.spark.database.DrayageSession;
import io.drayage.worker.FragmentSender;
import io.drayage.worker.TransactionHandle;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * The senders of this JVM, one for each transaction. The tasks of a transaction share its
 * connections, which the last task closes. Thread-safe.
 */
final class SharedSenders {
  /** The senders by transaction. Guarded by itself. */
  private static final Map<UUID, Shared> SENDERS = new HashMap<>();

  private SharedSenders() {}

  private static final class Shared {
    final FragmentSender sender;
    int users;

    Shared(FragmentSender sender) {
      this.sender = sender;
    }
  }

  /** Returns the sender for the fragments of a transaction; the caller releases it once. */
  static FragmentSender acquire(DrayageOptions options, TransactionHandle handle)
      throws IOException {
    synchronized (SENDERS) {
      Shared shared = SENDERS.get(handle.transaction());
      if (shared == null) {
        DrayageSession session = DrayageSession.of(options);
        shared =
            new Shared(
                new FragmentSender(
                    handle, session.coordination(), session.connect(), DrayageSession.PATIENCE));
        SENDERS.put(handle.transaction(), shared);
      }
      shared.users++;
      return shared.sender;
    }
  }

  static void release(TransactionHandle handle) {
    FragmentSender unused = null;
    synchronized (SENDERS) {
      Shared shared = SENDERS.get(handle.transaction());
      if (shared != null && --shared.users == 0) {
        SENDERS.remove(handle.transaction());
        unused = shared.sender;
      }
    }
    if (unused != null) {
      unused.close();
    }
  }
}
