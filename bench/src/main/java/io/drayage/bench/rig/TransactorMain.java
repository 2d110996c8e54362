package io.drayage.bench.rig;

import io.drayage.bench.cargo.BaseColumn;
import io.drayage.bench.cargo.BaseTable;
import io.drayage.bench.cargo.CargoSources;
import io.drayage.bench.rig.ChildLoop.Arguments;
import io.drayage.bench.rig.ControlMessages.Applied;
import io.drayage.bench.rig.ControlMessages.Command;
import io.drayage.bench.rig.ControlMessages.Job;
import io.drayage.bench.rig.ControlMessages.Listening;
import io.drayage.bench.system.SystemReceiver;
import io.drayage.bench.system.SystemUnderTest;
import io.drayage.bench.system.Systems;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.metrics.Stage;
import io.drayage.transactor.AppliedChanges;
import io.drayage.transactor.ColumnSchema;
import io.drayage.transactor.MemoryStore;
import io.drayage.transactor.StoreSnapshot;
import io.drayage.transactor.TableSchema;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Main class of a transactor under the rig: a store in memory that goes back to its base snapshot
 * on command, so that every iteration commits to the same.
 */
public final class TransactorMain {
  private final DrayageMetrics metrics = new DrayageMetrics();
  private final ProcessMeter meter = new ProcessMeter(new StageMeter(metrics, Stage.RECEIVE));
  private final MemoryStore store = new MemoryStore();
  private StoreSnapshot base = store.snapshot();
  private @Nullable SystemReceiver receiver;
  private @Nullable StagedCommits staged;

  private TransactorMain() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    TransactorMain transactor = new TransactorMain();
    ChildLoop.serve(transactor::handle);
    if (transactor.receiver != null) {
      transactor.receiver.close();
    }
    if (transactor.staged != null) {
      transactor.staged.close();
    }
    // Whatever threads a library has left behind.
    System.exit(0);
  }

  private @Nullable Object handle(Command command, Arguments arguments) throws Exception {
    return switch (command) {
      case PREPARE -> prepare(arguments.as(Job.class));
      case RESET -> reset();
      case GC -> done(System::gc);
      case BEGIN -> done(meter::begin);
      case END -> meter.end();
      case VERIFY -> verify();
      default -> throw new IllegalStateException("a transactor cannot " + command);
    };
  }

  private static @Nullable Object done(Runnable action) {
    action.run();
    return null;
  }

  private @Nullable Object reset() throws IOException {
    if (staged != null) {
      staged.reset();
    } else {
      store.reset(base);
    }
    return null;
  }

  private Listening prepare(Job job) throws IOException {
    SystemUnderTest system = Systems.notation().parse(job.system());
    if (job.streaming() != null) {
      return prepareStaging(job, system);
    }
    for (BaseTable table :
        CargoSources.parse(job.cargo(), job.sizeBytes(), job.seed()).baseTables()) {
      List<ColumnSchema> columns = table.columns().stream().map(TransactorMain::schema).toList();
      store.createTable(new TableSchema(table.name(), columns), table.rowCount());
    }
    base = store.snapshot();
    receiver =
        Systems.listen(
            system,
            job.options(),
            store,
            acceptor -> new ObservedAcceptor(acceptor, meter),
            null,
            metrics);
    return new Listening(receiver.port());
  }

  private Listening prepareStaging(Job job, SystemUnderTest system) throws IOException {
    StagedCommits commits =
        new StagedCommits(Objects.requireNonNull(job.streaming()), 2 * job.sizeBytes());
    staged = commits;
    receiver =
        Systems.listen(
            system,
            job.options(),
            commits,
            acceptor -> new ObservedAcceptor(acceptor, meter),
            commits.stage(),
            metrics);
    return new Listening(receiver.port());
  }

  private static ColumnSchema schema(BaseColumn column) {
    return new ColumnSchema(column.name(), column.type(), column.nullable());
  }

  private Applied verify() {
    if (staged != null) {
      return new Applied(staged.digest());
    }
    AppliedChanges applied = store.lastApplied();
    if (applied == null) {
      throw new IllegalStateException("no cargo has taken effect");
    }
    return new Applied(applied.digest());
  }
}
