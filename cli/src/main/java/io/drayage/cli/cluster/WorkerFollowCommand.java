package io.drayage.cli.cluster;

import io.drayage.cli.options.OptionChecks;
import io.drayage.store.StoreSnapshot;
import io.drayage.store.column.StoredTable;
import io.drayage.worker.Worker;
import io.drayage.worker.WorkerOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code drayage worker follow}. */
@Command(
    name = "follow",
    mixinStandardHelpOptions = true,
    description = "Loads every snapshot that is published, and prints a line for each.",
    footer = {
      "",
      "Example: drayage worker follow --zookeeper 127.0.0.1:2181 --store fs:/var/lib/drayage/t1/store"
    })
final class WorkerFollowCommand implements Callable<Integer> {
  @Mixin private WorkerOptionsGroup worker;

  @Option(
      names = "--until",
      paramLabel = "TIMESTAMP",
      description = "End when this snapshot is loaded (default: never).")
  private long until = Long.MAX_VALUE;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    return worker.run(new WorkerOptions(worker.name), new OptionChecks(spec), this::follow);
  }

  private int follow(Worker follower) throws InterruptedException {
    CountDownLatch reached = new CountDownLatch(1);
    AtomicLong printed = new AtomicLong(-1);
    follower.addListener(snapshot -> show(snapshot, printed, reached));
    show(follower.snapshot(), printed, reached);
    reached.await();
    return 0;
  }

  private void show(StoreSnapshot snapshot, AtomicLong printed, CountDownLatch reached) {
    long before = printed.getAndAccumulate(snapshot.timestamp(), Math::max);
    if (before < snapshot.timestamp()) {
      PrintWriter out = spec.commandLine().getOut();
      String rows =
          snapshot.tables().stream()
              .map(WorkerFollowCommand::describe)
              .collect(Collectors.joining(", "));
      out.printf("snapshot %d: %s%n", snapshot.timestamp(), rows);
      out.flush();
    }
    if (snapshot.timestamp() >= until) {
      reached.countDown();
    }
  }

  private static String describe(StoredTable table) {
    return "%s %,d rows".formatted(table.schema().name(), table.liveRowCount());
  }
}
