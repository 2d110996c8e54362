package io.drayage.bench.rig;

import io.drayage.bench.link.LinkedHost;
import io.drayage.bench.system.Contender;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Starts the children of one system: the same JVM and class path as this one, and the same options
 * for every system.
 *
 * @param number the system's number, from 1, which keeps its logs apart
 */
record ChildStarter(RigPlan plan, int number, Contender contender) {
  /** All workers; only the first one tells of its progress. */
  List<Child> workers(Consumer<String> progress) throws IOException {
    List<Child> workers = new ArrayList<>();
    for (int i = 1; i <= plan.workers(); i++) {
      String role = plan.workers() == 1 ? "worker" : "worker-" + i;
      Consumer<String> hears = i == 1 ? progress : text -> {};
      workers.add(
          start(plan.link().worker(i), role, WorkerMain.class, plan.heap().workerOptions(), hears));
    }
    return workers;
  }

  Child transactor() throws IOException {
    return start(
        plan.link().transactor(),
        "transactor",
        TransactorMain.class,
        plan.heap().transactorOptions(),
        text -> {});
  }

  private Child start(
      LinkedHost host, String role, Class<?> main, List<String> options, Consumer<String> progress)
      throws IOException {
    String fileName =
        "%d-%s-%s.log".formatted(number, contender.name().replaceAll("[^A-Za-z0-9.]+", "-"), role);
    return Child.start(
        "the %s of %s".formatted(role, contender),
        host.command(ChildCommand.of(main, options)),
        plan.logs().resolve(fileName),
        progress);
  }
}
