package io.drayage.bench.rig.node;

import io.drayage.bench.child.ChildLoop;
import io.drayage.bench.child.ChildLoop.Arguments;
import io.drayage.bench.child.ControlMessages.Command;
import io.drayage.bench.child.ControlMessages.Expected;
import io.drayage.bench.child.ControlMessages.Listening;
import io.drayage.bench.child.ControlMessages.Verified;
import io.drayage.bench.child.ProcessMeter;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.metrics.Stage;
import io.drayage.transport.ObservedReplies;
import io.drayage.transport.ShipmentAcceptor;
import io.drayage.warmup.NodeWarmup;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Main class of a transactor under the rig: a command resets its database, so that every iteration
 * commits to the same state.
 */
public final class TransactorMain {
  private final DrayageMetrics metrics = new DrayageMetrics();
  private final ChildProfile profile = new ChildProfile(metrics);
  private final ProcessMeter meter = new ProcessMeter(metrics, Stage.RECEIVE);

  /** The databases that listen, by job. */
  private final Map<Job, RigDatabase> databases = new HashMap<>();

  /** The database in use; null before the first command. */
  private @Nullable RigDatabase database;

  private TransactorMain() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    ChildLoop.serve(new TransactorMain()::handle);
  }

  private @Nullable Object handle(Command command, Arguments arguments) throws Exception {
    return switch (command) {
      case PREPARE -> prepare(arguments.as(Job.class));
      case RESET -> database().reset();
      case BEGIN -> done(meter::begin);
      case END -> meter.end();
      case VERIFY -> new Verified(database().applied(arguments.as(Expected.class)));
      case PROFILE, RECORD, SAVE -> profile.carryOut(command, arguments);
      default -> throw new IllegalStateException("a transactor cannot " + command);
    };
  }

  private static @Nullable Object done(Runnable action) {
    action.run();
    return null;
  }

  private Listening prepare(Job job) throws IOException, InterruptedException {
    if (!job.besideOthers()) {
      closeAll();
    } else if (database != null) {
      database.reset(); // The database would hold its cargo meanwhile.
    }
    Job work = job.withBesideOthers(false);
    NodeWarmup warmUp = job.beginWarmUp();
    RigDatabase known = databases.get(work);
    RigDatabase ready = known == null ? open(work) : known;
    databases.put(work, ready);
    database = ready;
    int unused = warmUp.await();
    return Listening.at(ready.address());
  }

  private RigDatabase open(Job job) throws IOException {
    UnaryOperator<ShipmentAcceptor> observer = this::observed;
    return job.commits() == null
        ? new MemoryDatabase(job, observer, metrics)
        : new NodeDatabase(job, observer, metrics);
  }

  /** Notifies the meter when a shipment begins and when it is received. */
  private ShipmentAcceptor observed(ShipmentAcceptor acceptor) {
    return acceptor.taking(
        (header, replies) -> {
          meter.markShipmentBegin();
          return acceptor.accept(
              header, new ObservedReplies(replies, meter::markShipmentReceived, cause -> {}));
        });
  }

  private void closeAll() throws IOException {
    for (RigDatabase open : databases.values()) {
      open.close();
    }
    databases.clear();
    database = null;
  }

  private RigDatabase database() {
    if (database == null) {
      throw new IllegalStateException("not prepared");
    }
    return database;
  }
}
