package io.drayage.worker;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ChangeCargo;
import io.drayage.database.ForeignDatabaseException;
import io.drayage.frame.CommitOptions;
import io.drayage.replica.LogFollower;
import io.drayage.replica.Replica;
import io.drayage.send.SendOptions;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** One commit of a worker, from the cargo to the loaded snapshot. Not thread-safe; used once. */
final class CommitAttempts {
  private static final System.Logger LOG = System.getLogger(CommitAttempts.class.getName());

  private final WorkerOptions options;
  private final Replica replica;
  private final LogFollower follower;
  private final PrimarySender sender;
  private final PrimaryRequests requests;
  private final ChangeCargo cargo;
  private final SendOptions how;
  private final long beganNs;
  private final long convertedNs;
  private int attempts;
  private @Nullable CommitReport report;

  /**
   * @param cargo must not be changed afterwards
   * @param beganNs time of the call
   * @param convertedNs time when the cargo was complete
   */
  CommitAttempts(
      WorkerOptions options,
      Replica replica,
      LogFollower follower,
      PrimarySender sender,
      PrimaryRequests requests,
      ChangeCargo cargo,
      CommitOptions how,
      long beganNs,
      long convertedNs) {
    this.options = options;
    this.replica = replica;
    this.follower = follower;
    this.sender = sender;
    this.requests = requests;
    this.cargo = cargo;
    this.how =
        new SendOptions(
            how.on(replica.database(), replica.checksum(cargo.baseSnapshot())),
            SendOptions.NO_DEADLINE,
            requests.waitOfAnAttempt());
    this.beganNs = beganNs;
    this.convertedNs = convertedNs;
  }

  /** Sends the cargo until its snapshot is loaded; fails as {@link Worker#commit}. */
  CommitReport untilLoaded() throws IOException, InterruptedException {
    PrimarySender.Sent unused =
        requests.untilCommitted(cargo.transactionId(), this::send, this::lost);
    return Objects.requireNonNull(report);
  }

  private PrimarySender.Sent send() throws IOException, InterruptedException {
    requireSameDatabase();
    attempts++;
    return sender.send(cargo, how);
  }

  /** Waits until the snapshot is loaded; returns how it was acknowledged if it was lost. */
  private @Nullable String lost(PrimarySender.Sent acknowledged)
      throws IOException, InterruptedException {
    long answeredNs = System.nanoTime();
    long timestamp = acknowledged.report().snapshotTimestamp();
    long deadlineNs = answeredNs + options.patience().toNanos();
    boolean published = follower.awaitPublished(timestamp, acknowledged.epoch(), deadlineNs);
    long publishedNs = System.nanoTime();
    if (!published || !follower.awaitLoaded(timestamp, acknowledged.epoch(), deadlineNs)) {
      requireSameDatabase();
      throw notLoaded(timestamp);
    }
    if (!isCommittedAs(timestamp)) {
      LOG.log(
          Level.WARNING,
          "transaction {0} was acknowledged as snapshot {1} and lost: it is sent again",
          cargo.transactionId(),
          Long.toString(timestamp));
      return format("as snapshot %d", timestamp);
    }
    long loadedNs = System.nanoTime();
    report =
        new CommitReport(
            timestamp,
            acknowledged.report(),
            convertedNs - beganNs,
            publishedNs - answeredNs,
            loadedNs - publishedNs,
            loadedNs - beganNs,
            attempts);
    return null;
  }

  /**
   * Whether the log has the commit. If the primary could not store it, another entry has the
   * timestamp, or a later epoch goes on before it. The replica loads only the cluster's log, so a
   * commit that it lacks is lost.
   */
  private boolean isCommittedAs(long timestamp) {
    OptionalLong committed = replica.timestampOf(cargo.transactionId());
    return committed.isPresent() && committed.getAsLong() == timestamp;
  }

  private IOException notLoaded(long timestamp) {
    IOException failure = follower.failure();
    return new IOException(
        format(
            "snapshot %d of transaction %s is not loaded after %,d s: %s",
            timestamp,
            cargo.transactionId(),
            options.patience().toSeconds(),
            failure == null ? "it is not published" : failure.getMessage()),
        failure);
  }

  /** Refuses a cargo that was made on another database. */
  private void requireSameDatabase() throws ForeignDatabaseException {
    if (follower.failure() instanceof ForeignDatabaseException foreign) {
      throw foreign;
    }
  }
}
