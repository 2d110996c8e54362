package io.drayage.transactor;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.objectstore.ObjectStore;
import io.drayage.receive.AllowedCodecs;
import io.drayage.replica.Replica;
import io.drayage.store.Transaction;
import io.drayage.worker.Worker;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The answers to workers about their commits, to be compared with the log. Thread-safe. */
public final class History {
  private record Acknowledged(int worker, UUID transactionId, long timestamp) {}

  private final List<Acknowledged> acknowledged = new ArrayList<>();
  private final List<UUID> refused = new ArrayList<>();

  /** Notes a worker's answer that its transaction took effect. */
  public synchronized void acknowledged(int worker, UUID transactionId, long timestamp) {
    acknowledged.add(new Acknowledged(worker, transactionId, timestamp));
    notifyAll();
  }

  /**
   * Notes a worker's answer that its transaction did not take effect, and never will. Not for a
   * {@code REFUSED} whose entry may still appear.
   */
  public synchronized void refused(UUID transactionId) {
    refused.add(transactionId);
  }

  /** Commits the {@code transaction}th of a worker's transactions. */
  public void commit(Worker committing, int worker, int transaction)
      throws IOException, InterruptedException {
    Transaction next = Workload.next(committing.snapshot(), worker, transaction);
    acknowledged(worker, next.id(), committing.commit(next).timestamp());
  }

  /** Waits until this number were acknowledged. */
  public synchronized void awaitSize(int size) throws InterruptedException {
    while (acknowledged.size() < size) {
      wait();
    }
  }

  /** Number of acknowledged transactions. */
  public synchronized int size() {
    return acknowledged.size();
  }

  /** Fails unless the database in a store matches the answers: nothing lost or doubled. */
  public synchronized void check(ObjectStore store) throws IOException {
    try (Replica replica = Replica.open(store, 2, 1 << 30, 0, AllowedCodecs.INSTALLED)) {
      replica.advance(Long.MAX_VALUE);
      Workload.check(replica.snapshot());
      Map<UUID, Long> committed = replica.transactions();
      assertThat(new HashSet<>(committed.values())).hasSameSizeAs(committed.values());
      Map<Integer, Long> lastOfWorker = new HashMap<>();
      for (Acknowledged each : acknowledged) {
        assertThat(committed).as("acknowledged").containsEntry(each.transactionId, each.timestamp);
        Long before = lastOfWorker.put(each.worker, each.timestamp);
        assertThat(each.timestamp)
            .as("order of worker %d", each.worker)
            .isGreaterThan(before == null ? 0 : before);
      }
      for (UUID each : refused) {
        assertThat(committed).as("refused").doesNotContainKey(each);
      }
      long events = replica.snapshot().table("events").rowCount();
      assertThat(events).as("events, of %s", committed.size()).isEqualTo(committed.size());
    }
  }
}
