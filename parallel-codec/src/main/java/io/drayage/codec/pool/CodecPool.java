package io.drayage.codec.pool;

import static io.drayage.internal.Texts.format;

import io.drayage.codec.Compressor;
import io.drayage.codec.SegmentDecoder;
import io.drayage.codec.SegmentEncoder;
import io.drayage.codec.Serializer;
import io.drayage.internal.FatalErrors;
import io.drayage.internal.Waits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jctools.queues.varhandle.MpmcVarHandleArrayQueue;

/**
 * The threads that encode or decode segments.
 *
 * <p>One lock-free queue has the tasks of many producers (callers, event loops) for many consumers
 * (the codec threads). A thread without work parks on a semaphore with a permit for each task in
 * the queue; nothing spins.
 *
 * <p>A task does not wait for peers or for memory. Instead it has another task submitted for the
 * end of the wait. So a stalled shipment does not cost other shipments a thread.
 */
public final class CodecPool implements AutoCloseable {
  /**
   * The most tasks in the queue. A receiver charges every frame to a credit of bytes, so that the
   * queue gets full only if a peer floods it with tiny frames.
   */
  static final int MAX_QUEUED_TASKS = 1 << 17;

  private static final long CLOSE_TIMEOUT_MS = 10_000;

  private final Queue<Task> tasks = new MpmcVarHandleArrayQueue<>(MAX_QUEUED_TASKS);
  private final Semaphore queued = new Semaphore(0);
  private final List<Thread> threads = new ArrayList<>();

  /** The codecs for tasks that run on threads outside the pool. */
  private final Queue<CodecThread> visitors = new ConcurrentLinkedQueue<>();

  /** Permits of {@link #tryRunHere}. */
  private final Semaphore guests;

  /** Shared by submits, exclusive for closing, so that no task comes after the last thread. */
  private final ReadWriteLock lifecycle = new ReentrantReadWriteLock();

  private boolean closed;

  /** A task for a codec thread. Must handle its own failures. */
  @FunctionalInterface
  public interface Task {
    /**
     * Runs the task.
     *
     * @param thread the codecs of the thread that runs it, to be used only until this returns
     */
    void run(CodecThread thread);
  }

  /** The codecs that one thread keeps from task to task. To be used only within a task. */
  public static final class CodecThread {
    private final Map<Codecs, SegmentEncoder> encoders = new HashMap<>();
    private final Map<Codecs, SegmentDecoder> decoders = new HashMap<>();

    private final boolean visits;

    private CodecThread(boolean visits) {
      this.visits = visits;
    }

    /** Whether the task runs on a thread that does not belong to the pool: see {@link #runHere}. */
    public boolean visits() {
      return visits;
    }

    /** This thread's own encoder for a serializer and a compressor. */
    public SegmentEncoder encoder(Serializer serializer, Compressor compressor) {
      return encoders.computeIfAbsent(
          new Codecs(serializer, compressor),
          key ->
              new SegmentEncoder(serializer.newSegmentSerializer(), serializer.id(), compressor));
    }

    /** This thread's own decoder for a serializer and a compressor. */
    public SegmentDecoder decoder(Serializer serializer, Compressor compressor) {
      return decoders.computeIfAbsent(
          new Codecs(serializer, compressor),
          key ->
              new SegmentDecoder(serializer.newSegmentSerializer(), serializer.id(), compressor));
    }

    private void close() {
      encoders.values().forEach(SegmentEncoder::close);
      decoders.values().forEach(SegmentDecoder::close);
    }

    private record Codecs(Serializer serializer, Compressor compressor) {}
  }

  /**
   * Starts the threads.
   *
   * @param name the prefix of their names
   */
  public CodecPool(int threadCount, String name) {
    if (threadCount < 1) {
      throw new IllegalArgumentException(
          format("a codec pool needs at least 1 thread, not %d", threadCount));
    }
    this.guests = new Semaphore(threadCount);
    for (int t = 0; t < threadCount; t++) {
      Thread thread = new Thread(this::work, name + "-" + t);
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }
  }

  /** The number of codec threads. */
  public int threadCount() {
    return threads.size();
  }

  /**
   * Submits a task, without waiting.
   *
   * @return false if the pool is closed or its queue is full; then the task will not run
   */
  public boolean submit(Task task) {
    lifecycle.readLock().lock();
    try {
      if (closed || !tasks.offer(task)) {
        return false;
      }
      queued.release();
      return true;
    } finally {
      lifecycle.readLock().unlock();
    }
  }

  /** The reason, in a line, why {@link #submit} has just refused a task. */
  public String refusal() {
    return isClosed()
        ? "the codec pool is closed"
        : format("the queue of the codec pool is full: %,d tasks wait", MAX_QUEUED_TASKS);
  }

  /** Whether the pool is closed, and accepts no more tasks. */
  public boolean isClosed() {
    lifecycle.readLock().lock();
    try {
      return closed;
    } finally {
      lifecycle.readLock().unlock();
    }
  }

  /**
   * Runs a task at once, on the calling thread. A short task may run on an event loop.
   *
   * @return false if the pool is closed; then the task did not run
   */
  public boolean runHere(Task task) {
    lifecycle.readLock().lock();
    try {
      if (closed) {
        return false;
      }
      CodecThread kept = visitors.poll();
      CodecThread visitor = kept == null ? new CodecThread(true) : kept;
      try {
        task.run(visitor);
      } finally {
        keep(visitor);
      }
      return true;
    } finally {
      lifecycle.readLock().unlock();
    }
  }

  /** Keeps the codecs for another task. Does not throw, since the task has run. */
  private void keep(CodecThread visitor) {
    try {
      visitors.add(visitor);
    } catch (OutOfMemoryError e) {
      visitor.close();
    }
  }

  /**
   * Runs a task as {@link #runHere}, for any number of callers: at most as many at a time as the
   * pool has threads, which bounds the number of codecs that are kept.
   *
   * @return false if too many others run one, or the pool is closed; then the task did not run
   */
  public boolean tryRunHere(Task task) {
    if (!guests.tryAcquire()) {
      return false;
    }
    try {
      return runHere(task);
    } finally {
      guests.release();
    }
  }

  private void work() {
    CodecThread thread = new CodecThread(false);
    try {
      runTasks(thread);
    } finally {
      thread.close();
    }
  }

  private void runTasks(CodecThread thread) {
    while (true) {
      queued.acquireUninterruptibly();
      Task task = tasks.poll();
      if (task == null) {
        return;
      }
      try {
        task.run(thread);
      } catch (Throwable e) {
        // Report the failure, and keep the thread for other tasks.
        FatalErrors.tell(e);
      }
    }
  }

  /** Lets the threads finish the tasks in the queue, and waits for the threads. */
  @Override
  public void close() {
    lifecycle.writeLock().lock();
    try {
      closed = true;
    } finally {
      lifecycle.writeLock().unlock();
    }
    visitors.forEach(CodecThread::close);
    // A permit without a task ends the thread that gets it.
    queued.release(threads.size());
    Waits.orInterrupted(
        () -> {
          for (Thread thread : threads) {
            thread.join(CLOSE_TIMEOUT_MS);
          }
        });
  }
}
