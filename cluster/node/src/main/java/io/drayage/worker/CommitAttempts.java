package io.drayage.worker;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ChangeCargo;
import io.drayage.database.ForeignDatabaseException;
import io.drayage.frame.CommitOptions;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.replica.LogFollower;
import io.drayage.replica.Replica;
import io.drayage.send.CargoSender;
import io.drayage.send.SendOptions;
import io.drayage.send.SendReport;
import io.drayage.transport.Backoff;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.OptionalLong;

/** One commit of a worker, from the cargo to the loaded snapshot. Not thread-safe; used once. */
final class CommitAttempts {
  private static final System.Logger LOG = System.getLogger(CommitAttempts.class.getName());

  private final WorkerOptions options;
  private final Replica replica;
  private final LogFollower follower;
  private final PrimarySender sender;
  private final PrimaryRequests requests;
  private final ChangeCargo cargo;
  private final CommitOptions how;
  private final long beganNs;
  private final long convertedNs;
  private int attempts;

  /** Whether an attempt may have taken effect. */
  private boolean uncertain;

  /**
   * @param cargo must not be changed afterwards
   * @param beganNs when the caller asked for the commit
   * @param convertedNs when the cargo was there
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
    this.how = how.on(replica.database(), replica.checksum(cargo.baseSnapshot()));
    this.beganNs = beganNs;
    this.convertedNs = convertedNs;
  }

  /** The last attempt's end, with the outcome of all. */
  ShipmentException settled(ShipmentException last) {
    return uncertain && !last.fault().isVerdict()
        ? last.withOutcome(ShipmentException.Outcome.UNKNOWN)
        : last;
  }

  /** As for {@link CargoSender#send}: an interrupt must not hide that it may take effect. */
  ShipmentException interrupted(InterruptedException cause) throws InterruptedException {
    if (!uncertain) {
      throw cause;
    }
    Thread.currentThread().interrupt();
    return settled(
        new ShipmentException(
            Fault.CANCELLED,
            "interrupted while transaction %s was committed: it may take effect"
                .formatted(cargo.transactionId()),
            cause));
  }

  /** Sends it until it is loaded; fails as {@link Worker#commit}. */
  CommitReport untilLoaded() throws IOException, InterruptedException {
    Backoff whenLost = new Backoff(options.patience());
    while (true) {
      long askedNs = System.nanoTime();
      PrimarySender.Sent acknowledged = send();
      whenLost.exclude(System.nanoTime() - askedNs); // It has deadlines of its own.
      uncertain = true; // Until it is loaded, it may be lost.
      SendReport sent = acknowledged.report();
      long answeredNs = System.nanoTime();
      long timestamp = sent.snapshotTimestamp();
      long deadlineNs = answeredNs + options.patience().toNanos();
      boolean published = follower.awaitPublished(timestamp, acknowledged.epoch(), deadlineNs);
      long publishedNs = System.nanoTime();
      if (!published || !follower.awaitLoaded(timestamp, acknowledged.epoch(), deadlineNs)) {
        requireSameDatabase();
        throw notLoaded(timestamp);
      }
      if (isCommittedAs(timestamp)) {
        return report(sent, answeredNs, publishedNs);
      }
      LOG.log(
          Level.WARNING,
          "transaction {0} was acknowledged as snapshot {1} and lost: it is sent again",
          cargo.transactionId(),
          Long.toString(timestamp));
      if (!whenLost.pause()) {
        throw new ShipmentException(
            Fault.CANCELLED,
            format(
                "transaction %s was acknowledged, the last time as snapshot %d, and lost each of %d times within %,d s",
                cargo.transactionId(), timestamp, attempts, options.patience().toSeconds()));
      }
    }
  }

  /**
   * If the primary could not store what it had applied, another entry has the timestamp, or the log
   * goes on from before it in a later epoch. The replica has loaded nothing but entries of the
   * cluster's log, so what it does not have is lost.
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

  private PrimarySender.Sent send() throws IOException, InterruptedException {
    SendOptions patient = new SendOptions(how, SendOptions.NO_DEADLINE, requests.waitOfAnAttempt());
    return requests.untilAnswered(
        "transaction " + cargo.transactionId(),
        () -> {
          requireSameDatabase();
          attempts++;
          try {
            return sender.send(cargo, patient);
          } catch (ShipmentException e) {
            uncertain |= e.outcome() == ShipmentException.Outcome.UNKNOWN;
            throw e;
          }
        });
  }

  private CommitReport report(SendReport sent, long answeredNs, long publishedNs) {
    long loadedNs = System.nanoTime();
    return new CommitReport(
        sent.snapshotTimestamp(),
        sent,
        convertedNs - beganNs,
        publishedNs - answeredNs,
        loadedNs - publishedNs,
        loadedNs - beganNs,
        attempts);
  }
}
