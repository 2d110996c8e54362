package io.drayage.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;

/** The threads that a test leaves behind. */
public final class Threads {
  private final Set<Thread> before = running();

  private Threads() {}

  /** Remembers the current threads. Call this before anything is started. */
  public static Threads remember() {
    return new Threads();
  }

  /**
   * Waits for the end of every thread that was started since, except the JVM's own, and fails if
   * one stays. Not for the threads that gRPC shares: see {@link #assertSharedGone}.
   */
  public void assertGone(Duration deadline) throws InterruptedException {
    long endNs = System.nanoTime() + deadline.toNanos();
    for (Thread thread : running()) {
      if (!before.contains(thread) && !isOfTheJvm(thread) && !isShared(thread)) {
        join(thread, endNs, deadline);
      }
    }
  }

  /** Waits for the threads that gRPC shares between its users, and fails if one stays. */
  public static void assertSharedGone(Duration deadline) throws InterruptedException {
    long endNs = System.nanoTime() + deadline.toNanos();
    for (Thread thread : running()) {
      if (isShared(thread)) {
        join(thread, endNs, deadline);
      }
    }
  }

  private static void join(Thread thread, long endNs, Duration deadline)
      throws InterruptedException {
    thread.join(Math.max(1, (endNs - System.nanoTime()) / 1_000_000));
    assertThat(thread.isAlive()).as("%s still runs after %s", thread.getName(), deadline).isFalse();
  }

  /** Whether gRPC shares a thread. Such a thread ends after a second without use. */
  private static boolean isShared(Thread thread) {
    return thread.getName().startsWith("grpc-");
  }

  private static boolean isOfTheJvm(Thread thread) {
    return thread.getName().startsWith("ForkJoinPool.commonPool")
        || thread.getName().startsWith("junit-")
        // The timer of CompletableFuture, one for the life of the JVM.
        || thread.getName().equals("CompletableFutureDelayScheduler")
        // One for the whole process; ends when it was idle for a second, which nobody waits for.
        || thread.getName().startsWith("globalEventExecutor");
  }

  private static Set<Thread> running() {
    return Thread.getAllStackTraces().keySet().stream().collect(Collectors.toSet());
  }
}
