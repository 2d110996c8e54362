package io.drayage.transactor;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ChangeCargo;
import io.drayage.database.LogPosition;
import io.drayage.frame.Acknowledgement;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.frame.TraceContext;
import io.drayage.snapshot.SnapshotContents;
import io.drayage.snapshot.SnapshotRecording;
import io.drayage.store.AppliedChanges;
import io.drayage.store.StoreSnapshot;
import io.drayage.trace.TraceSpan;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A commit that is applied in memory, and is being stored and published. Each step's thread writes
 * its times and passes them on with the commit.
 */
final class PendingCommit {
  private final ShipmentHeader header;
  private final SnapshotRecording recording;
  private final StoreSnapshot before;
  private final AppliedChanges changes;
  private final StoreSnapshot after;

  /** What was received, until it is compared. */
  private @Nullable ChangeCargo received;

  private final CompletableFuture<Long> stored = new CompletableFuture<>();
  private final CompletableFuture<Long> published = new CompletableFuture<>();

  /** Whether a worker was told that it took effect although it may not be stored. */
  private volatile boolean answeredUnstored;

  private final long applyNs;
  private final long appliedNs = System.nanoTime();
  private long uploadedNs;
  private long loggedNs;
  private @Nullable LogPosition logged;

  PendingCommit(
      ShipmentHeader header,
      SnapshotRecording recording,
      ChangeCargo received,
      StoreSnapshot before,
      StoreSnapshot after,
      AppliedChanges changes) {
    this.header = header;
    this.recording = recording;
    this.received = received;
    this.before = before;
    this.after = after;
    this.changes = changes;
    this.applyNs = appliedNs - recording.sealedNs();
  }

  /**
   * The digest of what was applied. Once.
   *
   * @throws IllegalStateException if that is not what was received
   * @throws IllegalArgumentException if it could not even be received
   */
  long appliedDigest() {
    ChangeCargo cargo = Objects.requireNonNull(received);
    received = null;
    return changes.appliedDigest(cargo);
  }

  UUID transactionId() {
    return header.transactionId();
  }

  SnapshotRecording recording() {
    return recording;
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

  /**
   * The answer to one worker. Several may send the same transaction, and ask for different
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
      case PUBLISHED -> published;
    };
  }

  boolean isAnsweredUnstored() {
    return answeredUnstored;
  }

  /**
   * Waits until its frames are in the object store, and notes when.
   *
   * @throws ShipmentException {@code REFUSED} if they cannot be stored, or not within the timeout;
   *     {@code CANCELLED} if this thread is interrupted
   */
  SnapshotContents awaitUploaded(long timeoutMs) throws ShipmentException {
    try {
      SnapshotContents contents = recording.stored().get(timeoutMs, TimeUnit.MILLISECONDS);
      uploadedNs = System.nanoTime();
      return contents;
    } catch (ExecutionException e) {
      throw storeFailure(e.getCause() == null ? e : e.getCause());
    } catch (TimeoutException e) {
      throw new ShipmentException(
          Fault.REFUSED,
          format(
              "snapshot %d cannot be stored: the object store did not finish within %,d ms",
              timestamp(), timeoutMs),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ShipmentException(Fault.CANCELLED, "the transactor is shutting down", e);
    }
  }

  /** What its worker is told if it cannot be stored. */
  ShipmentException storeFailure(Throwable cause) {
    return cause instanceof ShipmentException named
        ? named
        : new ShipmentException(
            Fault.REFUSED,
            format("snapshot %d cannot be stored: %s", timestamp(), cause.getMessage()),
            cause);
  }

  /** Notes that its entry is in the log. */
  void markLogged(LogPosition at) {
    logged = at;
    loggedNs = System.nanoTime();
  }

  /** Its entry in the log; null before that is there. */
  @Nullable LogPosition logged() {
    return logged;
  }

  void completeStored() {
    stored.complete(timestamp());
  }

  PublishedCommit completePublished() {
    long publishedNs = System.nanoTime();
    CommitTimes times =
        new CommitTimes(
            transactionId(),
            timestamp(),
            before.timestamp() - header.baseSnapshot(),
            applyNs,
            uploadedNs - appliedNs,
            loggedNs - uploadedNs,
            publishedNs - loggedNs);
    published.complete(timestamp());
    trace(publishedNs);
    return new PublishedCommit(times, header.worker(), changes);
  }

  private void trace(long publishedNs) {
    TraceContext worker = header.trace();
    if (worker == null) {
      return;
    }
    TraceSpan span = TraceSpan.within(worker, TermShipments.SPAN, recording.begunNs());
    span.phase("receive", recording.begunNs(), recording.sealedNs());
    span.phase("apply", recording.sealedNs(), appliedNs);
    span.phase("upload", appliedNs, uploadedNs);
    span.phase("log", uploadedNs, loggedNs);
    span.phase("publish", loggedNs, publishedNs);
    span.put("drayage.snapshot", timestamp());
    span.end(null);
  }

  void fail(Throwable cause) {
    stored.completeExceptionally(cause);
    published.completeExceptionally(cause);
  }
}
