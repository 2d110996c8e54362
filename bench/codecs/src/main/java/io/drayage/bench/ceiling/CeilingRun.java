package io.drayage.bench.ceiling;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.ceiling.CeilingChild.Ready;
import io.drayage.bench.ceiling.CeilingChild.Task;
import io.drayage.bench.ceiling.CeilingChild.Took;
import io.drayage.bench.child.ControlMessages.Command;
import io.drayage.bench.child.ControlMessages.Listening;
import io.drayage.bench.link.LinkedHost;
import io.drayage.bench.progress.StepDisplay;
import io.drayage.bench.result.Status;
import io.drayage.bench.rig.Child;
import io.drayage.bench.rig.ChildException;
import io.drayage.internal.TemporaryFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Measures row after row: one child for the work of one process, two for a socket. The next row
 * starts when the previous row has ended, so that nothing competes. A row that fails is recorded as
 * failed, and the others follow. Not thread-safe.
 */
public final class CeilingRun {
  private static final long CPU_UNKNOWN = -1;

  private final CeilingPlan plan;
  private final StepDisplay display;
  private final List<Iteration> runs = new ArrayList<>();
  private int steps;

  public CeilingRun(CeilingPlan plan, StepDisplay display) {
    this.plan = plan;
    this.display = display;
  }

  /**
   * One measured iteration of one row, as written to JSON; bytes and seconds are null if it failed.
   *
   * @param iteration from 1; 0 if the row failed before
   * @param cpuS CPU time of both ends; null if it is not known
   */
  public record Iteration(
      String row,
      int iteration,
      Status status,
      @Nullable Long bytes,
      @Nullable Double seconds,
      @Nullable Double cpuS,
      @Nullable String error) {
    static Iteration ok(CeilingRow row, int iteration, long bytes, long ns, @Nullable Double cpuS) {
      return new Iteration(row.name(), iteration, Status.OK, bytes, ns / 1e9, cpuS, null);
    }

    static Iteration failed(CeilingRow row, int iteration, @Nullable String error) {
      return new Iteration(row.name(), iteration, Status.FAILED, null, null, null, error);
    }
  }

  /** Measures all rows. To be called once. */
  public CeilingRun run() throws InterruptedException {
    for (int i = 0; i < plan.rows().size(); i++) {
      CeilingRow row = plan.rows().get(i);
      int before = runs.size();
      try {
        switch (row.kind()) {
          case SOCKET, PASS_WIRE, PASS_MEMORY, PASS_STORED -> measureSocket(row);
          case IPERF3 -> measureByIperf3(row);
          case STORE -> measureDisk(row);
          default -> measureLocally(row);
        }
      } catch (ChildException | IOException e) {
        runs.add(Iteration.failed(row, runs.size() - before, e.getMessage()));
        steps = (i + 1) * (plan.warmup() + plan.iterations());
        display.step(steps, plan.steps(), row.name() + ": FAILED, " + e.getMessage());
      }
    }
    return this;
  }

  /** Every measured iteration, failed ones too. */
  public List<Iteration> runs() {
    return List.copyOf(runs);
  }

  /** Returns one summary for each row, in their order. */
  public List<CeilingSummary> summary() {
    return plan.rows().stream().map(row -> CeilingSummary.of(row, runs)).toList();
  }

  /** Measures in a new JVM, so that the JIT compiler does not optimise one row for another. */
  private void measureLocally(CeilingRow row)
      throws ChildException, IOException, InterruptedException {
    try (Child child = start(row, plan.link().worker(1), "")) {
      measure(row, child, plan.disk(), null, null);
    }
  }

  /** Measures in a folder of this process, because the child is killed at the end. */
  private void measureDisk(CeilingRow row)
      throws ChildException, IOException, InterruptedException {
    try (Child child = start(row, plan.link().worker(1), "");
        TemporaryFolder folder =
            TemporaryFolder.make(plan.disk(), "drayage-ceiling-", child::close)) {
      measure(row, child, folder.path(), null, null);
      child.call(Command.RESET, null, Void.class, plan.deadline());
    }
  }

  private void measureSocket(CeilingRow row)
      throws ChildException, IOException, InterruptedException {
    LinkedHost transactor = plan.link().transactor();
    try (Child sink = start(row, transactor, "-sink");
        Child source = start(row, plan.link().worker(1), "-source");
        TemporaryFolder folder =
            TemporaryFolder.make(plan.disk(), "drayage-ceiling-", sink::close)) {
      Path disk = folder.path();
      sink.call(Command.PREPARE, task(row, disk, null), Ready.class, plan.deadline());
      Listening anyPort = new Listening(transactor.address(), 0);
      Listening at = sink.call(Command.CONNECT, anyPort, Listening.class, plan.deadline());
      measure(row, source, disk, sink, at);
    }
  }

  /**
   * @param disk a folder for files
   * @param sink the process that reads at {@code address}; null without one
   */
  private void measure(
      CeilingRow row, Child child, Path disk, @Nullable Child sink, @Nullable Listening address)
      throws ChildException, IOException, InterruptedException {
    Task task = task(row, disk, address);
    long bytes = child.call(Command.PREPARE, task, Ready.class, plan.deadline()).bytes();
    repeat(
        row,
        bytes,
        () -> {
          if (sink == null) {
            return child.call(Command.RUN, null, Took.class, plan.deadline());
          }
          sink.call(Command.BEGIN, null, Void.class, plan.deadline());
          Took took = child.call(Command.RUN, null, Took.class, plan.deadline());
          long cpuNs = sink.call(Command.END, null, Long.class, plan.deadline());
          return new Took(took.ns(), took.cpuNs() + cpuNs, took.proof());
        });
  }

  private Task task(CeilingRow row, Path disk, @Nullable Listening sink) {
    return new Task(row.kind(), plan.bytesOf(row), row.codec(), disk.toString(), sink);
  }

  private void measureByIperf3(CeilingRow row)
      throws ChildException, IOException, InterruptedException {
    Iperf3 iperf3 = new Iperf3(plan.link(), plan.deadline());
    long bytes = plan.bytesOf(row);
    repeat(row, bytes, () -> new Took(iperf3.run(bytes), CPU_UNKNOWN, 0));
  }

  private Child start(CeilingRow row, LinkedHost host, String role) throws IOException {
    String name = row.name().replaceAll("[^A-Za-z0-9]+", "-") + role;
    return Child.start(
        "the process of " + row.name(),
        host.command(Child.command(CeilingChild.class, plan.jvmOptions())),
        plan.logs().resolve(name + ".log"));
  }

  /** A measurement that can be repeated. */
  private interface Once {
    Took run() throws ChildException, IOException, InterruptedException;
  }

  private void repeat(CeilingRow row, long bytes, Once once)
      throws ChildException, IOException, InterruptedException {
    for (int i = 1 - plan.warmup(); i <= plan.iterations(); i++) {
      Took took = once.run();
      if (i > 0) {
        Double cpuS = took.cpuNs() == CPU_UNKNOWN ? null : (Double) (took.cpuNs() / 1e9);
        runs.add(Iteration.ok(row, i, bytes, took.ns(), cpuS));
      }
      steps++;
      String turn = i > 0 ? "iteration " + i : "warm-up " + (i + plan.warmup());
      String rate = format("%.2f GB/s", (double) bytes / took.ns());
      display.step(steps, plan.steps(), "%s %s: %s".formatted(row.name(), turn, rate));
    }
  }
}
