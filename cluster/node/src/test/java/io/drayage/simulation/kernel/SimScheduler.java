package io.drayage.simulation.kernel;

import static io.drayage.internal.Texts.format;

import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs virtual threads one at a time on the caller's thread. Wherever a thread blocks or yields,
 * the seed chooses the next one. Time passes when no thread can run. Each thread belongs to a host,
 * which can pause, crash, run out of memory and have a wrong wall clock. For one thread.
 */
public final class SimScheduler {
  private static final long STEP_NS = 1_000;

  /** The wall clock at the beginning. */
  private static final long START_MS = 1_700_000_000_000L;

  /** Maximum number of steps. A run with more has a thread in an endless loop. */
  private static final long MAX_STEPS = 400_000;

  private static @Nullable SimScheduler current;

  private final SplittableRandom random;
  private final SplittableRandom ids;
  private final List<Slice> ready = new ArrayList<>();

  /** Woken by a thread of the JVM, which passes monitors on to virtual threads. */
  private final Queue<Slice> woken = new ConcurrentLinkedQueue<>();

  private final Map<String, List<Slice>> paused = new HashMap<>();
  private final Set<String> crashed = new HashSet<>();
  private final Map<String, Long> clockErrorsMs = new HashMap<>();

  /** Plans for a point, by host. */
  private final Map<String, Plan> plans = new HashMap<>();

  private final Map<String, Integer> counts = new TreeMap<>();

  /** Number of arrays that a host may still make before it runs out of memory, by host. */
  private final Map<String, Integer> arraysLeft = new HashMap<>();

  private final IdentityHashMap<Thread, SimThread> threads = new IdentityHashMap<>();

  /** Depth of class initializers by thread; there a thread neither yields nor runs out. */
  private final IdentityHashMap<Thread, Integer> initializing = new IdentityHashMap<>();

  private final IdentityHashMap<Object, Monitor> monitors = new IdentityHashMap<>();
  private final PriorityQueue<Timer> timers = new PriorityQueue<>();
  private final Thread carrier = Thread.currentThread();
  private long nowNs = 1;
  private long numbers;
  private long steps;
  private long digest;
  private @Nullable Throwable broken;
  private @Nullable SimThread latest;

  private record SimThread(long number, String host, String name) {}

  /**
   * The task of the first thread that reaches a point.
   *
   * @param what the name in the counts
   */
  private record Plan(String point, String what, Runnable task) {}

  private record Slice(SimThread thread, Runnable task) {}

  private record Timer(long atNs, long number, Runnable task) implements Comparable<Timer> {
    @Override
    public int compareTo(Timer other) {
      return atNs == other.atNs
          ? Long.compare(number, other.number)
          : Long.compare(atNs, other.atNs);
    }
  }

  private static final class Monitor {
    @Nullable Thread owner;
    int depth;
    final Deque<Thread> entering = new ArrayDeque<>();
    final Deque<Thread> waiting = new ArrayDeque<>();
  }

  /** Replaces the previous scheduler, whose threads never run again. */
  public SimScheduler(long seed) {
    SplittableRandom root = new SplittableRandom(seed);
    random = root.split();
    ids = root.split();
    current = this;
    SimMemory.reclaim();
  }

  static SimScheduler current() {
    if (current == null) {
      throw new IllegalStateException("no simulation runs");
    }
    return current;
  }

  /** Whether threads can be simulated here: JDK 25 with java.lang opened. */
  public static boolean isSupported() {
    return Runtime.version().feature() >= 25
        && Object.class.getModule().isOpen("java.lang", SimScheduler.class.getModule());
  }

  /** Creates a thread of a host, which can pause. */
  public Thread newThread(String host, String name, Runnable task) {
    long number = ++numbers;
    SimThread thread = new SimThread(number, host, name);
    Executor executor = slice -> submit(new Slice(thread, slice));
    try {
      Method create =
          Class.forName("java.lang.ThreadBuilders")
              .getDeclaredMethod(
                  "newVirtualThread", Executor.class, String.class, int.class, Runnable.class);
      create.setAccessible(true);
      Thread made = (Thread) create.invoke(null, executor, name, 0, task);
      threads.put(made, thread);
      return made;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("virtual threads cannot be scheduled here", e);
    }
  }

  Thread newThread(String name, Runnable task) {
    return newThread(host(), name, task);
  }

  /** The host of the current thread; empty for a thread without host. */
  public String host() {
    SimThread thread = threads.get(Thread.currentThread());
    return thread == null ? "" : thread.host;
  }

  private void submit(Slice slice) {
    Thread caller = Thread.currentThread();
    if (caller == carrier || caller.getClass().getName().equals("java.lang.VirtualThread")) {
      admit(slice);
    } else {
      woken.add(slice);
    }
  }

  private void admit(Slice slice) {
    String host = slice.thread.host;
    if (current == this && !crashed.contains(host)) {
      paused.getOrDefault(host, ready).add(slice);
    }
  }

  /** Stops the threads of a host where they are, until {@link #resume}. */
  public void pause(String host) {
    List<Slice> frozen = paused.computeIfAbsent(host, unused -> new ArrayList<>());
    ready.stream().filter(slice -> slice.thread.host.equals(host)).forEach(frozen::add);
    ready.removeAll(frozen);
  }

  /** Resumes the threads of a host. */
  public void resume(String host) {
    List<Slice> frozen = paused.remove(host);
    if (frozen != null) {
      ready.addAll(frozen);
    }
  }

  /** Stops the threads of a host for ever. Locks that they hold become free. */
  public void crash(String host) {
    crashed.add(host);
    paused.remove(host);
    ready.removeIf(slice -> slice.thread.host.equals(host));
    for (Monitor monitor : List.copyOf(monitors.values())) {
      monitor.waiting.removeIf(thread -> isOf(thread, host));
      monitor.entering.removeIf(thread -> isOf(thread, host));
      if (monitor.owner != null && isOf(monitor.owner, host)) {
        monitor.owner = null;
        monitor.entering.stream()
            .sorted(Comparator.comparingLong(thread -> threads.get(thread).number))
            .forEach(LockSupport::unpark);
      }
    }
  }

  private boolean isOf(Thread thread, String host) {
    SimThread known = threads.get(thread);
    return known != null && known.host.equals(host);
  }

  /** Whether a host has crashed, at any point. */
  public boolean isCrashed(String host) {
    return crashed.contains(host);
  }

  /** Counts an event. */
  public void count(String what) {
    counts.merge(what, 1, Integer::sum);
  }

  /** The counts since the latest seed began. */
  public static Map<String, Integer> countsOfLatest() {
    return current().counts;
  }

  /** Makes a host crash when one of its threads reaches a {@code CrashPoint}. */
  public void crashAt(String host, String point) {
    plans.put(host, new Plan(point, "died", () -> crashHere(host)));
  }

  /** Makes a host {@link #pause} when one of its threads reaches a {@code CrashPoint}. */
  public void pauseAt(String host, String point) {
    plans.put(host, new Plan(point, "stopped", () -> pauseHere(host)));
  }

  /** Delays the first thread of a host that reaches a {@code CrashPoint}; others go on. */
  public void delayAt(String host, String point, long ns) {
    plans.put(host, new Plan(point, "delayed", () -> standStill(ns)));
  }

  /** Makes a host run out of memory after this number of further arrays. */
  public void limitArrays(String host, int count) {
    arraysLeft.put(host, count);
  }

  /** Whether a host has not yet reached the point of its plan. */
  public boolean isArmed() {
    return !plans.isEmpty();
  }

  /** Cancels all plans. */
  public void disarm() {
    plans.clear();
    arraysLeft.clear();
  }

  void reach(String point) {
    count(point);
    String host = host();
    Plan plan = plans.get(host);
    if (plan != null && plan.point.equals(point)) {
      plans.remove(host);
      count(point + " " + plan.what);
      plan.task.run();
    }
  }

  @SuppressWarnings("ThreadPriorityCheck") // Simulated: the host is paused.
  private void pauseHere(String host) {
    pause(host);
    Thread.yield();
  }

  private void standStill(long ns) {
    try {
      sleep(ns);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  void makeArray() {
    if (arraysLeft.isEmpty() || isInitializing()) {
      return;
    }
    String host = host();
    Integer left = arraysLeft.get(host);
    if (left != null) {
      arraysLeft.put(host, left - 1);
      if (left == 0) {
        throw new OutOfMemoryError("simulated");
      }
    }
  }

  void initialize(int change) {
    initializing.merge(Thread.currentThread(), change, Integer::sum);
  }

  private boolean isInitializing() {
    return initializing.getOrDefault(Thread.currentThread(), 0) > 0;
  }

  private void crashHere(String host) {
    crash(host);
    while (true) {
      LockSupport.park();
    }
  }

  /**
   * Ends the host after an uncaught error, as a node's command does. An error that was not
   * simulated is a broken promise.
   */
  static void uncaught(Throwable thrown) {
    SimScheduler scheduler = current();
    if (!(thrown instanceof OutOfMemoryError) && scheduler.broken == null) {
      scheduler.broken = thrown;
    }
    scheduler.crashHere(scheduler.host());
  }

  /** Sets the handler of uncaught errors for all threads. */
  public static void handleUncaught() {
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, thrown) -> {
          if (current().threads.containsKey(thread)) {
            uncaught(thrown);
          }
          thrown.printStackTrace();
          Runtime.getRuntime().halt(1);
        });
  }

  /** Sets the error of a host's wall clock. */
  public void setClock(String host, long errorMs) {
    clockErrorsMs.put(host, errorMs);
  }

  long wallMs() {
    return START_MS + nowNs / 1_000_000 + clockErrorsMs.getOrDefault(host(), 0L);
  }

  /** Calls {@code task} at a time, on the scheduler's own thread. It must not block. */
  public void at(long atNs, Runnable task) {
    timers.add(new Timer(Math.max(atNs, nowNs), ++numbers, task));
  }

  /** Runs until {@code done}, until no thread can run, or until a time. */
  public void run(BooleanSupplier done, long endNs) {
    while (nowNs < endNs && !done.getAsBoolean() && broken == null && steps < MAX_STEPS) {
      for (Slice slice = woken.poll(); slice != null; slice = woken.poll()) {
        admit(slice);
      }
      Timer timer = timers.peek();
      if (timer != null && timer.atNs <= nowNs) {
        timers.remove();
        timer.task.run();
      } else if (!ready.isEmpty()) {
        // The order in which threads were woken may depend on hash codes.
        ready.sort(Comparator.comparingLong(slice -> slice.thread.number));
        Slice next = ready.remove(random.nextInt(ready.size()));
        nowNs += STEP_NS;
        steps++;
        trace(next.thread.number);
        latest = next.thread;
        next.task.run();
      } else if (timer != null) {
        nowNs = timer.atNs;
      } else {
        return;
      }
    }
  }

  /** An uncaught error, or the lack of progress; null if all is well. */
  public @Nullable Throwable broken() {
    return broken != null || steps < MAX_STEPS
        ? broken
        : new IllegalStateException(
            format("nobody got anywhere in %,d steps, at last %s", steps, latest));
  }

  /** The stacks of threads of hosts that have not crashed. */
  public String dump() {
    StringBuilder text = new StringBuilder();
    threads.entrySet().stream()
        .filter(each -> !crashed.contains(each.getValue().host) && each.getKey().isAlive())
        .sorted(Comparator.comparingLong(each -> each.getValue().number))
        .forEach(
            each -> {
              text.append("%n%s of '%s'".formatted(each.getValue().name, each.getValue().host));
              for (StackTraceElement frame : each.getKey().getStackTrace()) {
                if (frame.getClassName().startsWith("io.drayage.")) {
                  text.append("%n    ".formatted()).append(frame);
                }
              }
            });
    return text.toString();
  }

  /** Adds to the digest of all events. */
  public void trace(long what) {
    digest = (digest * 31 + what) * 31 + nowNs;
  }

  /** The digest, which is equal for runs with the same events in the same order and times. */
  public long digest() {
    return digest;
  }

  /** Number of times that a thread was chosen. */
  public long steps() {
    return steps;
  }

  /** The virtual time. */
  public long nowNs() {
    return nowNs;
  }

  /** The generator for decisions outside the scheduler. */
  public SplittableRandom random() {
    return random;
  }

  SplittableRandom ids() {
    return ids;
  }

  boolean runsHere() {
    return threads.containsKey(Thread.currentThread());
  }

  boolean isOurs() {
    return Thread.currentThread() == carrier || runsHere();
  }

  void sleep(long ns) throws InterruptedException {
    Thread thread = Thread.currentThread();
    long endNs = nowNs + Math.max(0, ns);
    at(endNs, () -> LockSupport.unpark(thread));
    while (nowNs < endNs) {
      LockSupport.park();
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }

  @SuppressWarnings("ThreadPriorityCheck") // Simulated: another thread may go first.
  void enter(Object object) {
    if (!runsHere()) {
      return;
    }
    Monitor held = monitors.get(object);
    if (held != null && held.owner == Thread.currentThread()) {
      held.depth++;
      return;
    }
    if (!isInitializing() && random.nextInt(16) == 0) {
      Thread.yield();
    }
    enter(object, 1);
  }

  private void enter(Object object, int depth) {
    Thread thread = Thread.currentThread();
    Monitor monitor = monitors.computeIfAbsent(object, unused -> new Monitor());
    boolean interrupted = false;
    while (monitor.owner != null) {
      monitor.entering.add(thread);
      LockSupport.park();
      monitor.entering.remove(thread);
      interrupted |= Thread.interrupted();
      monitor = monitors.computeIfAbsent(object, unused -> new Monitor());
    }
    monitor.owner = thread;
    monitor.depth = depth;
    if (interrupted) {
      thread.interrupt();
    }
  }

  void exit(Object object) {
    if (runsHere()) {
      Monitor monitor = owned(object);
      if (--monitor.depth == 0) {
        release(object, monitor);
      }
    }
  }

  private Monitor owned(Object object) {
    Monitor monitor = monitors.get(object);
    if (monitor == null || monitor.owner != Thread.currentThread()) {
      throw new IllegalMonitorStateException();
    }
    return monitor;
  }

  private void release(Object object, Monitor monitor) {
    monitor.owner = null;
    if (monitor.entering.isEmpty() && monitor.waiting.isEmpty()) {
      monitors.remove(object);
    }
    List.copyOf(monitor.entering).forEach(LockSupport::unpark);
  }

  /** Waits as {@link Object#wait(long)}; 0 waits for ever. */
  void await(Object object, long ns) throws InterruptedException {
    Monitor monitor = owned(object);
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    Thread thread = Thread.currentThread();
    long endNs = ns == 0 ? Long.MAX_VALUE : nowNs + ns;
    if (ns != 0) {
      at(endNs, () -> LockSupport.unpark(thread));
    }
    int depth = monitor.depth;
    monitor.waiting.add(thread);
    release(object, monitor);
    boolean interrupted = false;
    while (monitor.waiting.contains(thread) && nowNs < endNs && !interrupted) {
      LockSupport.park();
      interrupted = Thread.interrupted();
    }
    monitor.waiting.remove(thread);
    enter(object, depth);
    if (interrupted) {
      throw new InterruptedException();
    }
  }

  void notify(Object object, boolean all) {
    if (runsHere()) {
      Monitor monitor = owned(object);
      do {
        Thread woken = monitor.waiting.poll();
        if (woken == null) {
          return;
        }
        LockSupport.unpark(woken);
      } while (all);
    }
  }
}
