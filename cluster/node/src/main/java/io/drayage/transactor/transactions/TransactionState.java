package io.drayage.transactor.transactions;

import io.drayage.database.LoggedTransaction;
import io.drayage.database.TransactionProgress;
import io.drayage.frame.AppVersion;
import io.drayage.frame.TransactionAnswer;
import io.drayage.frame.TransactionRequest;
import io.drayage.snapshot.transaction.OpenTransaction;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What a primary knows of one open transaction. Thread-safe. */
final class TransactionState {
  final OpenTransaction record;
  private final long begunNs = System.nanoTime();

  /** Guarded by this, as all that follows. */
  private long renewedNs = begunNs;

  /** How many were stored in this term. */
  private int fragments;

  /** What they take in the store. */
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
   * The transaction as its entry names it.
   *
   * @param app the number that its application gave it; null if it has none, or has no effect
   */
  LoggedTransaction logged(@Nullable AppVersion app) {
    return new LoggedTransaction(record.id(), record.base(), record.owner(), app);
  }

  synchronized void renew() {
    renewedNs = System.nanoTime();
  }

  /** Whether nobody has renewed it for too long, and it is not ending. */
  synchronized boolean isExpired() {
    return !isEnding() && System.nanoTime() - renewedNs > record.lease().toNanos();
  }

  synchronized boolean isEnding() {
    return ending != null;
  }

  /**
   * Begins to end it.
   *
   * @return what is under way already; null if that is this
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
   * @return false if the lease was renewed meanwhile, or something else ends it
   */
  synchronized boolean beginExpiry(Ending expiry) {
    return isExpired() && begin(expiry) == null;
  }

  /**
   * What was under way is over.
   *
   * @param ended whether an entry of the log ended it: who has found it before that is answered as
   *     those were who asked for that end. If not, it may be ended again, and its lease begins anew
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
   * How far it is.
   *
   * @param memoryBytes what its fragments take in memory
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
