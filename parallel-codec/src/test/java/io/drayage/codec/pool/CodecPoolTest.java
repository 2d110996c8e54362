package io.drayage.codec.pool;

import static io.drayage.testing.Refusals.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.codec.Compressor;
import io.drayage.codec.Compressors;
import io.drayage.codec.SegmentEncoder;
import io.drayage.codec.Serializer;
import io.drayage.codec.Serializers;
import io.drayage.internal.Waits;
import io.drayage.testing.Waiting;
import io.drayage.testing.Waiting.Running;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class CodecPoolTest {
  private static final Serializer RAW = Serializers.ofName("raw");
  private static final Compressor NONE = Compressors.ofName("none");
  private static final int THREADS = 3;

  private final CodecPool pool = new CodecPool(THREADS, "codec-pool-test");

  @AfterEach
  void closePool() {
    pool.close();
  }

  @Test
  void runsTasksOnAllItsThreadsAtOnce() throws Exception {
    CyclicBarrier together = new CyclicBarrier(THREADS + 1);
    for (int t = 0; t < THREADS; t++) {
      assertThat(pool.submit(codec -> meet(together))).isTrue();
    }
    together.await();
    assertThat(pool.threadCount()).isEqualTo(THREADS);
  }

  @Test
  void everyThreadKeepsItsOwnEncoder() throws Exception {
    Map<Thread, SegmentEncoder> encoders = new ConcurrentHashMap<>();
    for (int round = 0; round < 3; round++) {
      CyclicBarrier together = new CyclicBarrier(THREADS + 1);
      for (int t = 0; t < THREADS; t++) {
        pool.submit(
            codec -> {
              SegmentEncoder mine = codec.encoder(RAW, NONE);
              SegmentEncoder before = encoders.putIfAbsent(Thread.currentThread(), mine);
              assertThat(before == null || before == mine).isTrue();
              meet(together);
            });
      }
      together.await();
    }
    assertThat(encoders).hasSize(THREADS);
    assertThat(encoders.values()).doesNotHaveDuplicates();
  }

  @Test
  void hasAsManyGuestsAsThreads() {
    AtomicInteger inside = new AtomicInteger();
    assertThat(pool.tryRunHere(codec -> visitUntilRefused(inside))).isTrue();
    assertThat(inside).hasValue(THREADS);

    assertThat(pool.tryRunHere(codec -> inside.set(0))).isTrue();
    assertThat(inside).hasValue(0);
  }

  private void visitUntilRefused(AtomicInteger inside) {
    inside.incrementAndGet();
    boolean unused = pool.tryRunHere(codec -> visitUntilRefused(inside));
  }

  @Test
  void closeFinishesWhatIsQueued() throws Exception {
    CountDownLatch gate = new CountDownLatch(1);
    AtomicInteger ran = new AtomicInteger();
    for (int t = 0; t < 20; t++) {
      pool.submit(
          codec -> {
            Waits.uninterrupted(gate::await);
            ran.incrementAndGet();
          });
    }
    Running<Boolean> closing =
        Waiting.startAndAwaitParked(
            () -> {
              pool.close();
              return true;
            });
    assertThat(pool.submit(codec -> ran.incrementAndGet())).isFalse();
    gate.countDown();

    assertThat(closing.get()).isTrue();
    assertThat(ran).hasValue(20);
    assertThat(threads()).isEmpty();
  }

  @Test
  void runsExactlyTheTasksThatItTookWhileItWasClosed() throws Exception {
    for (int round = 0; round < 200; round++) {
      CodecPool closed = new CodecPool(1, "closed");
      AtomicInteger ran = new AtomicInteger();
      Running<Integer> submitting =
          Waiting.start(
              () -> {
                int taken = 0;
                while (closed.submit(codec -> ran.incrementAndGet())) {
                  taken++;
                }
                return taken;
              });
      closed.close();
      assertThat(ran).as("round %d", round).hasValue(submitting.get());
    }
  }

  @Test
  void idleThreadsWait() {
    Waiting.await(() -> threads().size() == THREADS);
    for (Thread thread : threads()) {
      Waiting.awaitParked(thread);
      assertThat(thread.getState()).isEqualTo(Thread.State.WAITING);
      assertThat(thread.isDaemon()).isTrue();
    }
  }

  @Test
  void taskThatThrowsCostsNoThread() throws Exception {
    Phaser reported = new Phaser(1 + 2 * THREADS);
    for (int t = 0; t < 2 * THREADS; t++) {
      int number = t;
      pool.submit(
          codec -> {
            Thread.currentThread().setUncaughtExceptionHandler((thread, e) -> reported.arrive());
            if (number % 2 == 0) {
              throw new IllegalStateException("a task's own fault");
            }
            throw new AssertionError("a task's own fault");
          });
    }
    reported.arriveAndAwaitAdvance();

    runsTasksOnAllItsThreadsAtOnce();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1})
  void refusesToHaveNoThreads(int count) {
    assertFails(() -> new CodecPool(count, "none"), IllegalArgumentException.class, "not " + count);
  }

  private static List<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("codec-pool-test"))
        .toList();
  }

  private static void meet(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
