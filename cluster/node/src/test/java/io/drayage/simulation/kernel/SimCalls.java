package io.drayage.simulation.kernel;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.stream.BaseStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** The calls that {@link SimClassLoader} puts in the place of calls to the JDK. */
public final class SimCalls {
  private static final long POLL_NS = 1_000_000;

  private SimCalls() {}

  /** The host of the current thread. */
  public static String host() {
    return SimScheduler.current().host();
  }

  public static void enter(Object object) {
    SimScheduler.current().enter(object);
  }

  public static void exit(Object object) {
    SimScheduler.current().exit(object);
  }

  public static void await(Object object) throws InterruptedException {
    SimScheduler.current().await(object, 0);
  }

  public static void await(Object object, long ms) throws InterruptedException {
    SimScheduler.current().await(object, TimeUnit.MILLISECONDS.toNanos(ms));
  }

  public static void timedWait(TimeUnit unit, Object object, long time)
      throws InterruptedException {
    if (time > 0) {
      SimScheduler.current().await(object, unit.toNanos(time));
    }
  }

  public static void notify(Object object) {
    SimScheduler.current().notify(object, false);
  }

  public static void notifyAll(Object object) {
    SimScheduler.current().notify(object, true);
  }

  public static long nanoTime() {
    return SimScheduler.current().nowNs();
  }

  public static long currentTimeMillis() {
    return SimScheduler.current().wallMs();
  }

  public static Instant now() {
    return Instant.ofEpochMilli(currentTimeMillis());
  }

  public static UUID randomUUID() {
    SimScheduler scheduler = SimScheduler.current();
    return scheduler.isOurs()
        ? version4(scheduler.ids().nextLong(), scheduler.ids().nextLong())
        : UUID.randomUUID();
  }

  /** Makes a UUID of random bits, as {@link UUID#randomUUID} does. */
  private static UUID version4(long high, long low) {
    return new UUID((high & ~0xF000L) | 0x4000L, (low & ~(3L << 62)) | (1L << 63));
  }

  public static long nextLong(SecureRandom random) {
    SimScheduler scheduler = SimScheduler.current();
    return scheduler.isOurs() ? scheduler.ids().nextLong() : random.nextLong();
  }

  public static long nextLong(ThreadLocalRandom unused, long from, long to) {
    return SimScheduler.current().ids().nextLong(from, to);
  }

  public static void sleep(long ms) throws InterruptedException {
    SimScheduler.current().sleep(TimeUnit.MILLISECONDS.toNanos(ms));
  }

  public static void sleep(TimeUnit unit, long time) throws InterruptedException {
    SimScheduler.current().sleep(unit.toNanos(time));
  }

  public static Thread newThread(Runnable task, String name) {
    return SimScheduler.current().newThread(name, task);
  }

  public static void join(Thread thread, long ms) throws InterruptedException {
    boolean unused =
        poll(() -> !thread.isAlive(), ms == 0 ? Long.MAX_VALUE : ms, TimeUnit.MILLISECONDS);
  }

  public static <T> T get(Future<T> future, long time, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    if (!poll(future::isDone, time, unit)) {
      throw new TimeoutException();
    }
    return future.get();
  }

  public static boolean awaitTermination(ExecutorService executor, long time, TimeUnit unit)
      throws InterruptedException {
    return poll(executor::isTerminated, time, unit);
  }

  private static boolean poll(BooleanSupplier done, long time, TimeUnit unit)
      throws InterruptedException {
    long leftNs = unit.toNanos(time);
    while (!done.getAsBoolean() && leftNs > 0) {
      SimScheduler.current().sleep(POLL_NS);
      leftNs -= POLL_NS;
    }
    return done.getAsBoolean();
  }

  public static ExecutorService newSingleThreadExecutor(ThreadFactory threads) {
    ThreadPoolExecutor executor =
        new ThreadPoolExecutor(1, 1, 0, TimeUnit.NANOSECONDS, new LinkedBlockingQueue<>(), threads);
    // The threads must belong to the host that creates them, not to the first user.
    executor.prestartAllCoreThreads();
    return executor;
  }

  public static ExecutorService newCachedThreadPool(ThreadFactory threads) {
    return new ThreadPoolExecutor(
        0,
        Integer.MAX_VALUE,
        Long.MAX_VALUE,
        TimeUnit.NANOSECONDS,
        new SynchronousQueue<>(),
        threads);
  }

  public static ScheduledExecutorService newSingleThreadScheduledExecutor(ThreadFactory threads) {
    return new ScheduledThreadPoolExecutor(1, threads) {
      @Override
      public ScheduledFuture<?> scheduleWithFixedDelay(
          Runnable task, long first, long delay, TimeUnit unit) {
        threads
            .newThread(
                () -> {
                  try {
                    while (!isShutdown()) {
                      SimScheduler.current().sleep(unit.toNanos(delay));
                      task.run();
                    }
                  } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                  }
                })
            .start();
        return null;
      }
    };
  }

  /** A set in the order of insertion, not of identity hash codes. */
  public static <T> Set<T> newKeySet() {
    return new CopyOnWriteArraySet<>();
  }

  public static ByteBuffer allocateDirect(int bytes) {
    return SimMemory.allocate(bytes);
  }

  public static void makeArray() {
    SimScheduler.current().makeArray();
  }

  public static void beginInitializer() {
    SimScheduler.current().initialize(1);
  }

  public static void endInitializer() {
    SimScheduler.current().initialize(-1);
  }

  public static void reach(String point) {
    SimScheduler.current().reach(point);
  }

  public static IntStream sequential(IntStream stream) {
    return stream;
  }

  public static LongStream sequential(LongStream stream) {
    return stream;
  }

  public static BaseStream<?, ?> sequential(Stream<?> stream) {
    return stream;
  }

  public static Executor commonPool() {
    return Runnable::run;
  }
}
