package io.drayage.snapshot.transaction;

import io.drayage.objectstore.ObjectCorruptException;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.StoredObject;
import io.drayage.snapshot.SnapshotKeys;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * A transaction of several workers in an object store: open, or ended and about to be deleted.
 *
 * @param begun its begin, by the store's clock
 * @param fragments number of durable fragments
 * @param bytes of its objects in the store, including attempts that were given up
 */
public record StoredTransaction(OpenTransaction record, Instant begun, int fragments, long bytes) {
  /**
   * Lists the transactions in a store, oldest first. Lists the objects of each, and reads one
   * record.
   *
   * @param damaged receives a failure for each transaction that is left out for a damaged record
   */
  public static List<StoredTransaction> list(
      ObjectStore store, Consumer<ObjectCorruptException> damaged) throws IOException {
    TransactionRecords records = new TransactionRecords(store);
    List<StoredTransaction> found = new ArrayList<>();
    for (StoredObject object : store.list(SnapshotKeys.OPEN)) {
      UUID id = SnapshotKeys.openTransaction(object.key());
      try {
        OpenTransaction record = id == null ? null : records.find(id);
        if (id != null && record != null) {
          long bytes =
              store.list(SnapshotKeys.DATA + id).stream().mapToLong(StoredObject::bytes).sum();
          int fragments = records.fragments(id).size();
          found.add(new StoredTransaction(record, object.modified(), fragments, bytes));
        }
      } catch (ObjectCorruptException e) {
        damaged.accept(e);
      }
    }
    found.sort(Comparator.comparing(StoredTransaction::begun));
    return found;
  }
}
