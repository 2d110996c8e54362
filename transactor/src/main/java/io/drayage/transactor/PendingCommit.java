package io.drayage.transactor;

import io.drayage.frame.Acknowledgement;
import io.drayage.store.AppliedChanges;
import io.drayage.store.StoreSnapshot;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * A commit that is applied in memory, and is being stored and published. Each step's thread writes
 * its times and passes them on with the commit.
 */
final class PendingCommit {
  private final UUID transactionId;
  private final HeaderRecorder.Recorded recorded;
  private final StoreSnapshot before;
  private final AppliedChanges changes;
  private final StoreSnapshot after;
  private final CompletableFuture<Long> stored = new CompletableFuture<>();
  private final CompletableFuture<Long> published = new CompletableFuture<>();
  private final long applyNs;
  private final long appliedNs = System.nanoTime();
  private long uploadedNs;
  private long loggedNs;

  PendingCommit(
      UUID transactionId,
      HeaderRecorder.Recorded recorded,
      StoreSnapshot before,
      StoreSnapshot after,
      AppliedChanges changes) {
    this.transactionId = transactionId;
    this.recorded = recorded;
    this.before = before;
    this.after = after;
    this.changes = changes;
    this.applyNs = appliedNs - recorded.heldNs();
  }

  UUID transactionId() {
    return transactionId;
  }

  HeaderRecorder.Recorded recorded() {
    return recorded;
  }

  /** The snapshot to revert to if this cannot be stored. */
  StoreSnapshot before() {
    return before;
  }

  StoreSnapshot after() {
    return after;
  }

  long timestamp() {
    return after.timestamp();
  }

  /** The answer to a worker that requested this acknowledgement. */
  CompletableFuture<Long> answer(Acknowledgement level) {
    return switch (level) {
      case APPLIED -> CompletableFuture.completedFuture(timestamp());
      case STORED -> stored;
      case PUBLISHED -> published;
    };
  }

  void markUploaded() {
    uploadedNs = System.nanoTime();
  }

  void markLogged() {
    loggedNs = System.nanoTime();
  }

  void completeStored() {
    stored.complete(timestamp());
  }

  PublishedCommit completePublished() {
    CommitTimes times =
        new CommitTimes(
            transactionId,
            timestamp(),
            before.timestamp() - recorded.header().baseSnapshot(),
            applyNs,
            uploadedNs - appliedNs,
            loggedNs - uploadedNs,
            System.nanoTime() - loggedNs);
    published.complete(timestamp());
    return new PublishedCommit(times, changes);
  }

  void fail(Throwable cause) {
    stored.completeExceptionally(cause);
    published.completeExceptionally(cause);
  }
}
