package io.drayage.replica;

import static io.drayage.internal.Texts.format;

import io.drayage.coordination.AppliedReport;
import io.drayage.coordination.AppliedReports;
import io.drayage.coordination.Coordination;
import io.drayage.coordination.CoordinationException;
import io.drayage.coordination.Registration;
import io.drayage.store.AppliedDiffersException;
import java.lang.System.Logger.Level;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tells the cluster which entries of the log this node applies differently, and has it load anew
 * what other nodes agree to be wrong in its memory. Thread-safe.
 */
public final class AppliedWatch implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(AppliedWatch.class.getName());

  private final Coordination coordination;
  private final String node;
  private final Replica replica;
  private final LogFollower follower;
  private final Consumer<String> whenWrong;
  private final Registration watch;

  /** The last reports. Only one thread at a time advances a replica. */
  private volatile @Nullable AppliedReport reported;

  /**
   * Begins to watch.
   *
   * @param coordination stays the caller's, as do the replica and its follower
   * @param whenWrong is told why memory is loaded anew: a primary must end its term
   */
  public AppliedWatch(
      Coordination coordination,
      String node,
      Replica replica,
      LogFollower follower,
      Consumer<String> whenWrong)
      throws CoordinationException {
    this.coordination = coordination;
    this.node = node;
    this.replica = replica;
    this.follower = follower;
    this.whenWrong = whenWrong;
    replica.whenDifferent(this::report);
    learn(coordination.reports());
    this.watch = coordination.watchReports(this::learn);
  }

  /** Also asks what others say: the watch may have to wait for the one that advances. */
  private void report(AppliedDiffersException e) {
    AppliedReport report = new AppliedReport(node, e.timestamp(), e.expected(), e.found());
    try {
      learn(coordination.reports());
      if (!report.equals(reported)) {
        coordination.report(report);
        reported = report;
      }
    } catch (CoordinationException unheard) {
      // Again at the next attempt. A worker may not write if it has credentials of its own.
      LOG.log(Level.DEBUG, "{0} is not reported: {1}", report, unheard.getMessage());
    }
  }

  private void learn(AppliedReports reports) {
    OptionalLong wrong = replica.learn(reports);
    if (wrong.isPresent()) {
      String reason =
          format(
              "its memory is wrong: other nodes agree that snapshot %d changed something else",
              wrong.getAsLong());
      LOG.log(Level.ERROR, "{0} loads the database anew, {1}", node, reason);
      replica.distrust(wrong.getAsLong());
      whenWrong.accept(reason);
      follower.startOver();
    }
  }

  @Override
  public void close() {
    watch.close();
  }
}
