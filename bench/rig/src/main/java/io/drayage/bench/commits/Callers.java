package io.drayage.bench.commits;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** The threads that commit, one commit after the other. */
final class Callers {
  private final CommitLoad load;
  private final Callable<?> commit;
  private final AtomicLong due = new AtomicLong();
  private final long beganNs = System.nanoTime();

  private Callers(CommitLoad load, Callable<?> commit) {
    this.load = load;
    this.commit = commit;
  }

  /**
   * Runs a round. An answer time begins when the commit falls due, so that a pause counts for every
   * commit that it delays. In a closed loop a commit falls due when its caller is free.
   *
   * @param commit makes one commit, on any thread
   * @throws ExecutionException with the first failure of a commit, after all callers have ended
   */
  static CommitTimings run(CommitLoad load, Callable<?> commit)
      throws InterruptedException, ExecutionException {
    ExecutorService threads = Executors.newFixedThreadPool(load.callers());
    try {
      Callers callers = new Callers(load, commit);
      List<Future<long[]>> all = new ArrayList<>();
      for (int i = 0; i < load.callers(); i++) {
        all.add(threads.submit(callers::call));
      }
      List<long[]> answers = new ArrayList<>();
      for (Future<long[]> each : all) {
        answers.add(each.get());
      }
      double seconds = (System.nanoTime() - callers.beganNs) / 1e9;
      return CommitTimings.of(answers.stream().flatMapToLong(LongStream::of).toArray(), seconds);
    } finally {
      threads.shutdownNow();
    }
  }

  private long[] call() throws Exception {
    LongStream.Builder answerNs = LongStream.builder();
    while (true) {
      Long dueNs = awaitDue();
      if (dueNs == null) {
        return answerNs.build().toArray();
      }
      Object unused = commit.call();
      answerNs.add(System.nanoTime() - dueNs);
    }
  }

  /** Waits until a commit falls due, and returns that time; null after the end of the round. */
  private @Nullable Long awaitDue() throws InterruptedException {
    long endNs = beganNs + load.ns();
    Integer perSecond = load.perSecond();
    if (perSecond == null) {
      long nowNs = System.nanoTime();
      return nowNs - endNs < 0 ? nowNs : null;
    }
    long dueNs = beganNs + due.getAndIncrement() * 1_000_000_000L / perSecond;
    if (dueNs - endNs >= 0) {
      return null;
    }
    TimeUnit.NANOSECONDS.sleep(dueNs - System.nanoTime());
    return dueNs;
  }
}
