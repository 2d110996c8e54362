package io.drayage.transactor;

import io.drayage.database.LoggedTransaction;
import io.drayage.database.TransactionProgress;
import io.drayage.frame.AppVersion;
import io.drayage.frame.TransactionAnswer;
import io.drayage.frame.TransactionRequest;
import io.drayage.snapshot.transaction.OpenTransaction;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The state of one open transaction at the primary. Thread-safe. */
final class TransactionState {
  final OpenTransaction record;
  private final long begunNs = System.nanoTime();

  /** Guarded by this, as are the following fields. */
  private long renewedNs = begunNs;

  /** Number of fragments that were stored in this term. */
  private int fragments;

  /** Bytes of its fragments in the store. */
  private long storedBytes;

  /** The commit or abort that is under way; null if none is. */
  private @Nullable Ending ending;

  /**
   * @param request null for an expiry
   */
  record Ending(
      @Nullable TransactionRequest request, CompletableFuture<TransactionAnswer> answer) {}

  TransactionState(OpenTransaction record) {
    this.record = record;
  }

  /**
   * The transaction, as its entry in the log has it.
   *
   * @param app the number that its application gave it; null without number or effect
   */
  LoggedTransaction logged(@Nullable AppVersion app) {
    return new LoggedTransaction(record.id(), record.base(), record.owner(), app);
  }

  synchronized void renew() {
    renewedNs = System.nanoTime();
  }

  /** Whether its lease has expired, and it is not ending. */
  synchronized boolean isExpired() {
    return !isEnding() && System.nanoTime() - renewedNs > record.lease().toNanos();
  }

  synchronized boolean isEnding() {
    return ending != null;
  }

  /**
   * Begins to end it.
   *
   * @return the running end; null if this one begins
   */
  synchronized @Nullable Ending begin(Ending next) {
    Ending before = ending;
    if (before == null) {
      ending = next;
    }
    return before;
  }

  /**
   * Begins to end it because of its lease.
   *
   * @return false if the lease was renewed meanwhile, or another request ends it
   */
  synchronized boolean beginExpiry(Ending expiry) {
    return isExpired() && begin(expiry) == null;
  }

  /**
   * Notes that the running end is over.
   *
   * @param ended whether an entry of the log ended it; then later requests get the answer of that
   *     end. If not, it may be ended again, and its lease begins anew
   */
  synchronized void decided(boolean ended) {
    if (!ended) {
      ending = null;
      renewedNs = System.nanoTime();
    }
  }

  /** Counts a fragment that was stored. */
  synchronized void add(long dataBytes) {
    fragments++;
    storedBytes += dataBytes;
  }

  synchronized int fragmentCount() {
    return fragments;
  }

  synchronized long storedBytes() {
    return storedBytes;
  }

  /**
   * The progress of the transaction.
   *
   * @param memoryBytes bytes of memory of its fragments
   */
  synchronized TransactionProgress progress(long memoryBytes) {
    long nowNs = System.nanoTime();
    return new TransactionProgress(
        record.id(),
        record.owner(),
        Duration.ofNanos(nowNs - begunNs),
        fragments,
        storedBytes,
        memoryBytes,
        record.lease().minusNanos(nowNs - renewedNs),
        ending != null);
  }
}
