package io.drayage.transactor;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.TableSchema;
import io.drayage.database.LogPosition;
import io.drayage.frame.Acknowledgement;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.TraceContext;
import io.drayage.snapshot.SnapshotKind;
import io.drayage.store.AppliedChanges;
import io.drayage.store.StoreSnapshot;
import io.drayage.trace.TraceSpan;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A commit that is applied in memory, and is being stored and published. Each step's thread writes
 * its times and passes them on with the commit.
 */
final class PendingCommit {
  private final CommitWork work;
  private final StoreSnapshot before;

  /** Null if nothing was applied. */
  private final @Nullable AppliedChanges changes;

  private final StoreSnapshot after;

  private final CompletableFuture<Long> stored = new CompletableFuture<>();
  private final CompletableFuture<Long> published = new CompletableFuture<>();

  /** Whether a worker was notified of success although the commit may not be stored. */
  private volatile boolean answeredUnstored;

  /** Whether a worker waits until the commit is published. */
  private volatile boolean awaitedPublished;

  private final long applyNs;
  private final long appliedNs;
  private long uploadedNs;
  private long loggedNs;
  private @Nullable Long digest;
  private @Nullable LogPosition logged;

  PendingCommit(
      CommitWork work,
      StoreSnapshot before,
      StoreSnapshot after,
      @Nullable AppliedChanges changes) {
    this.work = work;
    this.before = before;
    this.after = after;
    this.changes = changes;
    this.appliedNs = work.appliedNs();
    this.applyNs = appliedNs - work.sealedNs();
  }

  /**
   * The digest of the applied changes; 0 if nothing was applied. Called by one thread.
   *
   * @throws IllegalStateException if the changes differ from the received cargo
   * @throws IllegalArgumentException if no such changes could have been received
   */
  long appliedDigest() {
    AppliedChanges applied = changes;
    if (digest == null) {
      digest = applied == null ? 0 : work.appliedDigest(applied);
    }
    return digest;
  }

  /**
   * The entry of the commit, of which {@link #isUploaded} must be true. Fails as {@link
   * #appliedDigest} does.
   */
  SnapshotKind entry() {
    uploadedNs = System.nanoTime();
    return work.entry(appliedDigest(), droppedTables(), newTables(), work.stored().join());
  }

  /** The bytes of its data, as far as they are stored. */
  long dataBytes() {
    return isUploaded()
        ? work.stored().join().stream().mapToLong(data -> data.data().digest().bytes()).sum()
        : 0;
  }

  /** Whether the frames are in the object store, so that {@link #awaitUploaded} does not wait. */
  boolean isUploaded() {
    return work.stored().isDone() && !work.stored().isCompletedExceptionally();
  }

  /** The names of the tables that were dropped. */
  List<String> droppedTables() {
    AppliedChanges applied = changes;
    return applied == null ? List.of() : applied.droppedTables();
  }

  /** The tables that were to be added. */
  List<TableSchema> newTables() {
    AppliedChanges applied = changes;
    return applied == null ? List.of() : applied.newTables();
  }

  UUID transactionId() {
    return work.transaction().id();
  }

  CommitWork work() {
    return work;
  }

  /** The snapshot to which memory reverts if this cannot be stored. */
  StoreSnapshot before() {
    return before;
  }

  StoreSnapshot after() {
    return after;
  }

  long timestamp() {
    return after.timestamp();
  }

  /**
   * The answer to one worker. Several workers may send the same transaction, with different
   * durability. Must not be called while the commit may be undone.
   *
   * @return completes when the commit is as durable as that worker wants it
   */
  CompletableFuture<Long> answer(Acknowledgement level) {
    return switch (level) {
      case APPLIED -> {
        answeredUnstored = true;
        yield CompletableFuture.completedFuture(timestamp());
      }
      case STORED -> stored;
      case PUBLISHED -> {
        awaitedPublished = true;
        yield published;
      }
    };
  }

  /** Whether a worker waits until it is published. */
  boolean isAwaitedPublished() {
    return awaitedPublished;
  }

  boolean isAnsweredUnstored() {
    return answeredUnstored;
  }

  /**
   * Waits until the frames are in the object store. Fails as {@link CommitWork#awaitStored} does.
   */
  void awaitUploaded(long timeoutMs) throws ShipmentException {
    work.awaitStored(name(), timeoutMs);
  }

  /** The answer to the worker if the commit cannot be stored. */
  ShipmentException storeFailure(Throwable cause) {
    return CommitWork.storeFailure(name(), cause);
  }

  private String name() {
    return format("snapshot %d", timestamp());
  }

  /** Notes that the entry is in the log. */
  void markLogged(LogPosition at) {
    logged = at;
    loggedNs = System.nanoTime();
  }

  /** The position of the entry in the log; null if the entry is not there yet. */
  @Nullable LogPosition logged() {
    return logged;
  }

  void completeStored() {
    stored.complete(timestamp());
  }

  /** Completes the commit as published; null if nothing was applied. */
  @Nullable PublishedCommit completePublished() {
    long publishedNs = System.nanoTime();
    CommitTimes times =
        new CommitTimes(
            transactionId(),
            timestamp(),
            before.timestamp() - work.transaction().baseSnapshot(),
            applyNs,
            uploadedNs - appliedNs,
            loggedNs - uploadedNs,
            publishedNs - loggedNs);
    published.complete(timestamp());
    trace(publishedNs);
    AppliedChanges applied = changes;
    return applied == null
        ? null
        : new PublishedCommit(
            times, work.transaction().worker(), work.fragments(), work.senders(), applied);
  }

  /** The transaction that ended without effect. */
  EndedTransaction ended() {
    return new EndedTransaction(
        transactionId(),
        work.transaction().worker(),
        work instanceof CommitWork.End end && end.end() instanceof SnapshotKind.Expired,
        timestamp());
  }

  private void trace(long publishedNs) {
    TraceContext asker = work.trace();
    if (asker == null) {
      return;
    }
    TraceSpan span = TraceSpan.within(asker, TraceSpan.TRANSACTOR, work.begunNs());
    int fragments = work.fragments().size();
    span.phase(fragments == 0 ? "receive" : "build", work.begunNs(), work.sealedNs());
    span.phase("apply", work.sealedNs(), appliedNs);
    span.phase("upload", appliedNs, uploadedNs);
    span.phase("log", uploadedNs, loggedNs);
    span.phase("publish", loggedNs, publishedNs);
    span.put("drayage.transaction", transactionId().toString());
    span.put("drayage.snapshot", timestamp());
    if (fragments > 0) {
      span.put("drayage.fragments", fragments);
    }
    span.end(null);
  }

  void fail(Throwable cause) {
    stored.completeExceptionally(cause);
    published.completeExceptionally(cause);
  }
}
