package io.drayage.transactor;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ChangeCargo;
import io.drayage.frame.ControlFrame;
import io.drayage.frame.Fault;
import io.drayage.frame.FragmentOf;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.frame.TransactionRequest;
import io.drayage.internal.DaemonThreads;
import io.drayage.receive.ReceivedCargo;
import io.drayage.snapshot.CargoUpload;
import io.drayage.snapshot.SnapshotContents;
import io.drayage.snapshot.UnwritableStore;
import io.drayage.snapshot.transaction.Fragment;
import io.drayage.snapshot.transaction.OpenTransaction;
import io.drayage.snapshot.transaction.TransactionRecords;
import io.drayage.store.column.MemorySize;
import io.drayage.trace.TraceSpan;
import java.io.IOException;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Receives the fragments of open transactions, and records them. Thread-safe; methods that are
 * called on event loops do not block.
 */
final class FragmentIntake {
  /** Limit of stored fragments. Attempts that no commit will name count, too. */
  private static final int MAX_STORED_FRAGMENTS = 2 * TransactionRequest.MAX_FRAGMENTS;

  private final TransactionRegistry registry;
  private final TransactionRecords records;
  private final FragmentCache cache;
  private final long maxStoredBytes;
  private final Executor work;

  /** Transactions that are about to be searched in the store. */
  private final Set<UUID> looked = ConcurrentHashMap.newKeySet();

  /**
   * @param maxStoredBytes maximum bytes in the store of the fragments of all transactions
   * @param work runs blocking tasks; may reject them when the term is over
   */
  FragmentIntake(
      TransactionRegistry registry,
      TransactionRecords records,
      FragmentCache cache,
      long maxStoredBytes,
      Executor work) {
    this.registry = registry;
    this.records = records;
    this.cache = cache;
    this.maxStoredBytes = maxStoredBytes;
    this.work = work;
  }

  /**
   * Fails if a cargo must not be received, because its transaction is not open, or the token
   * differs. Called on event loops.
   */
  void require(ShipmentHeader header, FragmentOf fragment) throws ShipmentException {
    TransactionRegistry.requireToken(fragment.transaction(), fragment.token());
    TransactionState transaction = registry.get(fragment.transaction());
    if (transaction == null) {
      registry.requireNotEnded(fragment.transaction());
      if (looked.size() < OpenTransactions.MAX_WAITING && looked.add(fragment.transaction())) {
        DaemonThreads.execute(work, () -> look(fragment.transaction()));
      }
      throw new ShipmentException(
          Fault.BUSY,
          "transaction %s is being looked for: send the fragment again"
              .formatted(fragment.transaction()));
    }
    OpenTransaction record = transaction.record;
    if (header.baseSnapshot() != record.base()) {
      throw new ShipmentException(
          Fault.REJECTED,
          format(
              "a fragment was made on snapshot %d, and its transaction %s on %d",
              header.baseSnapshot(), record.id(), record.base()));
    }
    if (transaction.isEnding()) {
      throw TransactionRegistry.refused(record.id(), "is being ended, and takes no more fragments");
    }
    requireRoom(transaction);
  }

  private void requireRoom(TransactionState transaction) throws ShipmentException {
    if (transaction.fragmentCount() >= MAX_STORED_FRAGMENTS) {
      throw TransactionRegistry.refused(
          transaction.record.id(),
          format("has %,d fragments already, which is the limit", MAX_STORED_FRAGMENTS));
    }
    UUID id = transaction.record.id();
    long own = transaction.storedBytes();
    if (own >= maxStoredBytes) {
      throw TransactionRegistry.refused(
          id, format("has %,d bytes in the store, %s", own, storeLimit()));
    }
    long stored = registry.all().stream().mapToLong(TransactionState::storedBytes).sum();
    if (stored >= maxStoredBytes) {
      throw new ShipmentException(
          Fault.BUSY,
          format(
              "transaction %s waits: the fragments of open transactions take %,d bytes in the"
                  + " store, %s",
              id, stored, storeLimit()));
    }
  }

  private String storeLimit() {
    return format("the limit of all is %,d (TransactionLimits.maxStoredBytes)", maxStoredBytes);
  }

  private void look(UUID id) {
    looked.remove(id);
    registry.look(id);
  }

  /**
   * Records a fragment once its data is durable. Does not block.
   *
   * @return completes with {@link ControlFrame#PREPARED}
   */
  CompletableFuture<Long> prepare(ReceivedCargo<CargoUpload> received) {
    CompletableFuture<Long> answer = new CompletableFuture<>();
    var unused =
        received
            .recording()
            .stored()
            .whenComplete(
                (contents, failure) -> {
                  if (contents == null) {
                    answer.completeExceptionally(failure);
                    return;
                  }
                  long storedNs = System.nanoTime();
                  try {
                    work.execute(() -> prepare(received, contents, storedNs, answer));
                  } catch (RejectedExecutionException e) {
                    answer.completeExceptionally(OpenTransactions.over());
                  }
                });
    return answer;
  }

  private void prepare(
      ReceivedCargo<CargoUpload> received,
      SnapshotContents contents,
      long storedNs,
      CompletableFuture<Long> answer) {
    try {
      record(received, contents);
      trace(received, storedNs);
      answer.complete(ControlFrame.PREPARED);
    } catch (IOException | RuntimeException | Error e) {
      OpenTransactions.fail(answer, "the fragment cannot be recorded: ", e);
    }
  }

  private static void trace(ReceivedCargo<CargoUpload> received, long storedNs) {
    CargoUpload recording = received.recording();
    TraceSpan span = TraceSpan.ofTransactor(received.header(), recording.begunNs());
    span.phase("receive", recording.begunNs(), recording.sealedNs());
    span.phase("upload", recording.sealedNs(), storedNs);
    span.phase("record", storedNs, System.nanoTime());
    span.end(null);
  }

  private Fragment add(Fragment own) throws ShipmentException {
    try {
      return records.add(own);
    } catch (IOException e) {
      throw UnwritableStore.ofRecord("the fragment cannot be recorded", e);
    }
  }

  private void record(ReceivedCargo<CargoUpload> received, SnapshotContents contents)
      throws IOException {
    FragmentOf of = received.header().options().fragment();
    TransactionState transaction = of == null ? null : registry.get(of.transaction());
    if (of == null || transaction == null || transaction.isEnding()) {
      received.recording().discard();
      throw of == null
          ? OpenTransactions.over()
          : TransactionRegistry.refused(of.transaction(), "has ended, or is being ended");
    }
    ChangeCargo cargo = received.cargo();
    Fragment own = new Fragment(of.transaction(), contents, MemorySize.ofInserted(cargo));
    Fragment first = add(own);
    boolean isOwn = first.cargo().data().key().equals(contents.data().key());
    if (isOwn) {
      transaction.add(own.dataBytes());
    } else {
      received.recording().discard();
    }
    if (!first.cargo().seal().equals(contents.seal())) {
      throw TransactionRegistry.refused(
          of.transaction(),
          format(
              "has a fragment %s already, with %s and not %s: give each attempt its own id",
              first.id(), first.cargo().seal(), contents.seal()));
    }
    cache.offer(first, cargo);
    if (registry.get(of.transaction()) == null) { // The cleaner deletes its data.
      cache.drop(of.transaction());
      throw TransactionRegistry.refused(of.transaction(), "has ended");
    }
  }
}
