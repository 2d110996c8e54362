package io.drayage.transport.netty;

import static io.drayage.internal.Texts.format;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.frame.Fault;
import io.drayage.transport.Threads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Shipments through random faults: each is committed once and whole, or fails with a named error,
 * and nothing of it is left.
 *
 * <p>{@code -Ddrayage.faults.schedules=N} sets the number of schedules, {@code
 * -Ddrayage.faults.firstSeed=S} the first seed. With {@code schedules=1} this runs the one schedule
 * of a seed.
 */
@Timeout(600)
class RandomFaultsTest {
  private static final int SCHEDULES = Integer.getInteger("drayage.faults.schedules", 16);

  private static final int MANY_SCHEDULES = 96;
  private static final int NIGHTLY_SCHEDULES = 3_000;

  private static final long FIRST_SEED = Long.getLong("drayage.faults.firstSeed", 1);

  /** Number of schedules at a time. Most of them wait most of the time. */
  private static final int AT_A_TIME = 48;

  /** Number of schedules between two searches for leaks; a message then names all their seeds. */
  private static final int BATCH = 500;

  private final Queue<AssertionError> failures = new ConcurrentLinkedQueue<>();
  private final Map<String, Integer> outcomes = new ConcurrentHashMap<>();
  private final AtomicInteger resumes = new AtomicInteger();

  @Test
  void everyShipmentEndsWholeOrByNameAndLeavesNothing() throws Exception {
    runSchedules(SCHEDULES);
  }

  @Test
  @Tag("ci")
  void andSoDoMore() throws Exception {
    runSchedules(MANY_SCHEDULES);
    assertThat(resumes.get()).as("resumes").isPositive();
  }

  @Test
  @Tag("nightly")
  void andSoDoThousands() throws Exception {
    runSchedules(NIGHTLY_SCHEDULES);
  }

  private void runSchedules(int count) throws Exception {
    runAll(0, 1); // Loads everything that stays loaded, files included.
    outcomes.clear();
    OpenFiles openFiles = OpenFiles.now();
    long startNs = System.nanoTime();
    for (int done = 0; done < count && failures.isEmpty(); done += BATCH) {
      long from = FIRST_SEED + done;
      long to = FIRST_SEED + Math.min(count, done + BATCH);
      Threads threads = Threads.remember();
      runAll(from, to);
      assertNothingIsLeft(format("of seeds %d to %d", from, to - 1), threads, openFiles);
    }
    System.out.printf(
        "fault schedules from seed %d: %s, %d resumes, %.1f s%n",
        FIRST_SEED, outcomes, resumes.get(), (System.nanoTime() - startNs) / 1e9);
    if (!failures.isEmpty()) {
      AssertionError all = new AssertionError(failures.size() + " schedules failed");
      failures.forEach(all::addSuppressed);
      throw all;
    }
  }

  /** Runs the schedules of the seeds {@code from} to {@code to}, exclusive. */
  private void runAll(long from, long to) throws InterruptedException {
    AtomicLong next = new AtomicLong(from);
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < Math.min(AT_A_TIME, to - from); t++) {
      Thread thread =
          new Thread(
              () -> {
                for (long s = next.getAndIncrement(); s < to; s = next.getAndIncrement()) {
                  run(s);
                }
              },
              "schedules-" + t);
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private void run(long seed) {
    FaultSchedule schedule = FaultSchedule.of(seed);
    try {
      FaultRun.Ending outcome = new FaultRun(schedule).run();
      Fault fault = outcome.failure() == null ? null : outcome.failure().fault();
      outcomes.merge(fault == null ? "committed" : fault.name(), 1, Integer::sum);
      resumes.addAndGet(outcome.resumes());
    } catch (Exception | AssertionError e) {
      failures.add(
          new AssertionError(
              format(
                  "seed %d (-Ddrayage.faults.firstSeed=%d -Ddrayage.faults.schedules=1): %s: %s",
                  seed, seed, schedule, e.getMessage()),
              e));
    }
  }

  private static void assertNothingIsLeft(String seeds, Threads threads, OpenFiles before)
      throws InterruptedException {
    threads.assertGone(Duration.ofSeconds(20));
    DirectMemory.assertAllReleased();
    DirectMemory.await(() -> OpenFiles.now().minus(before).isEmpty());
    assertThat(OpenFiles.now().minus(before)).as("open files %s", seeds).isEmpty();
  }

  /**
   * The open files, sockets and selectors of this process, by kind; empty if the system does not
   * list them. The JVM's own ones are left out: jars, native libraries, and files of the kernel
   * about the machine.
   *
   * @param counts number of each kind
   */
  private record OpenFiles(Map<String, Integer> counts) {
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    static OpenFiles now() {
      Map<String, Integer> counts = new HashMap<>();
      String[] descriptors = DESCRIPTORS.toFile().list();
      for (String descriptor : descriptors == null ? new String[0] : descriptors) {
        String target = targetOf(descriptor);
        if (!isOfTheJvm(target)) {
          counts.merge(withoutNumber(target), 1, Integer::sum);
        }
      }
      return new OpenFiles(counts);
    }

    /** Returns the target of a descriptor; the folder of descriptors if it was closed meanwhile. */
    private static String targetOf(String descriptor) {
      try {
        return Files.readSymbolicLink(DESCRIPTORS.resolve(descriptor)).toString();
      } catch (IOException closedMeanwhile) {
        return DESCRIPTORS.toString();
      }
    }

    private static boolean isOfTheJvm(String target) {
      String file = target.replace(" (deleted)", "");
      return file.endsWith(".jar")
          || file.endsWith(".so")
          || file.endsWith("modules")
          || file.startsWith("/proc/")
          || file.startsWith("/sys/");
    }

    /** Returns {@code socket:[12345]} without the number, which each socket has anew. */
    private static String withoutNumber(String target) {
      return target.replaceAll(":\\[\\d+]", "");
    }

    /** Returns the kinds that have increased, with the increase. */
    Map<String, Integer> minus(OpenFiles before) {
      Map<String, Integer> more = new HashMap<>();
      counts.forEach(
          (what, count) -> {
            int growth = count - before.counts.getOrDefault(what, 0);
            if (growth > 0) {
              more.put(what, growth);
            }
          });
      return more;
    }
  }
}
