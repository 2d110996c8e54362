package io.drayage.snapshot.transaction;

import io.drayage.frame.ShipmentException;
import io.drayage.objectstore.ConcurrentCalls;
import io.drayage.objectstore.ObjectCorruptException;
import io.drayage.objectstore.ObjectExistsException;
import io.drayage.objectstore.ObjectMissingException;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.StoredObject;
import io.drayage.snapshot.SnapshotKeys;
import io.drayage.snapshot.SnapshotKeys.FragmentPlace;
import io.drayage.snapshot.StoredBytes;
import io.drayage.snapshot.StoredText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of several workers in an object store, {@code open/T}, and their fragments,
 * {@code fragments/T/F}. Each record is created once. Stateless: each method reads the current
 * contents of the store. Thread-safe; every method may block.
 *
 * @param store not closed by this object
 */
public record TransactionRecords(ObjectStore store) {
  /**
   * Records that a transaction is open.
   *
   * @throws ObjectExistsException if a transaction of that id exists
   * @throws ShipmentException {@code REJECTED} if its record is too long
   */
  public void open(OpenTransaction transaction) throws IOException {
    StoredText.RECORD.put(store, SnapshotKeys.open(transaction.id()), transaction.toText());
  }

  /** An open transaction; null if none has that id. */
  public @Nullable OpenTransaction find(UUID transaction) throws IOException {
    return read(SnapshotKeys.open(transaction), OpenTransaction::parse);
  }

  /** The ids of the transactions that may not have ended. */
  public List<UUID> open() throws IOException {
    return store.list(SnapshotKeys.OPEN).stream()
        .map(object -> SnapshotKeys.openTransaction(object.key()))
        .filter(Objects::nonNull)
        .toList();
  }

  /**
   * Records that a fragment's data is durable, unless that is recorded already.
   *
   * @return the recorded fragment: another one if another process was faster
   * @throws ShipmentException {@code REJECTED} if its record is too long
   */
  public Fragment add(Fragment fragment) throws IOException {
    String key = fragment.place().key();
    try {
      StoredText.RECORD.put(store, key, fragment.toText());
      return fragment;
    } catch (ObjectExistsException e) {
      // The record may be ours, from an attempt whose answer was lost.
      Fragment first = find(fragment.place());
      if (first == null) {
        throw e;
      }
      return first;
    }
  }

  /** A fragment; null if none has that id. */
  public @Nullable Fragment find(FragmentPlace place) throws IOException {
    return read(place.key(), Fragment::parse);
  }

  /** The places of the fragments of a transaction. */
  public List<FragmentPlace> fragments(UUID transaction) throws IOException {
    return list(SnapshotKeys.FRAGMENTS + transaction + "/");
  }

  /** The places of the fragments of all transactions. */
  public List<FragmentPlace> fragments() throws IOException {
    return list(SnapshotKeys.FRAGMENTS);
  }

  private List<FragmentPlace> list(String prefix) throws IOException {
    List<FragmentPlace> places = new ArrayList<>();
    for (StoredObject object : store.list(prefix)) {
      FragmentPlace place = SnapshotKeys.fragment(object.key());
      if (place != null) {
        places.add(place);
      }
    }
    return places;
  }

  /** The keys of all data of a transaction, of fragments or of attempts that were given up. */
  List<String> data(UUID transaction) throws IOException {
    return store.list(SnapshotKeys.DATA + transaction + "-").stream()
        .map(StoredObject::key)
        .toList();
  }

  /** Whether the data of a fragment exists, with its length. */
  public boolean isComplete(Fragment fragment) throws IOException {
    try {
      return store.size(fragment.cargo().data().key()) == fragment.dataBytes();
    } catch (ObjectMissingException e) {
      return false;
    }
  }

  /** Deletes objects: data, or records. */
  void delete(Collection<String> keys) throws IOException {
    ConcurrentCalls.forEach(keys, store::delete);
  }

  private <T> @Nullable T read(String key, Function<String, T> parser) throws IOException {
    try {
      return StoredBytes.reread(() -> readOnce(key, parser));
    } catch (ObjectMissingException e) {
      return null;
    }
  }

  private <T> T readOnce(String key, Function<String, T> parser) throws IOException {
    ByteBuffer text = StoredText.RECORD.read(store, key);
    try {
      return parser.apply(StandardCharsets.UTF_8.decode(text).toString());
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new ObjectCorruptException(store.name(), key, String.valueOf(e.getMessage()), e);
    }
  }
}
