package io.drayage.memory;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Bounded bytes: who wants memory takes it from the budget first, and waits while there is none.
 *
 * <p>Thread-safe. Requests are served in the order in which they came, so that a large one is not
 * starved by small ones. Who asks waits ({@link #acquire}), does without ({@link #tryAcquire}), or
 * is called when it is there ({@link Share#acquire}).
 *
 * <p>Those who use a budget together, and may come to a halt one by one, each open a {@link Share}.
 * A share may use its part of the budget, which is the whole of it divided by the shares that are
 * open; a request beyond that waits, and those behind it pass. A share that uses nothing gets what
 * it asks for at once, even if others have used everything up: so nobody can bring the others to a
 * halt, and more than the limit may be in use, by one request for every share but one.
 */
public final class ByteBudget {
  private final long limitBytes;
  private final ReentrantLock lock = new ReentrantLock();

  /** In the order in which they came. */
  private final Queue<Request> waiting = new ArrayDeque<>();

  private int openShares;
  private long usedBytes;
  private long peakBytes;

  /** Hears what came of a request. Called without a lock, on any thread; must not block. */
  public interface Taker {
    /** The bytes were taken, and must be given back. */
    void onTaken();

    /** The share was closed before; nothing was taken. */
    void onShareClosed();
  }

  private record Request(long bytes, @Nullable Share share, Taker taker) {
    // A taker asks once at a time, so that requests are equal only to themselves.

    /** Whether it may be served before others give anything back. */
    boolean isFirstOfShare() {
      return share != null && share.usedBytes == 0;
    }
  }

  /**
   * @throws IllegalArgumentException if the limit is not positive
   */
  public ByteBudget(long limitBytes) {
    if (limitBytes <= 0) {
      throw new IllegalArgumentException(
          "a byte budget must be positive, not %,d".formatted(limitBytes));
    }
    this.limitBytes = limitBytes;
  }

  /** The most bytes that may be in use at a time. */
  public long limitBytes() {
    return limitBytes;
  }

  /** Bytes in use now. */
  public long usedBytes() {
    lock.lock();
    try {
      return usedBytes;
    } finally {
      lock.unlock();
    }
  }

  /** The most bytes that were ever in use at a time. */
  public long peakBytes() {
    lock.lock();
    try {
      return peakBytes;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes {@code bytes}, waiting until they are there. Not for event loops.
   *
   * @throws IllegalArgumentException if they are more than the whole budget
   * @throws InterruptedException if interrupted while it waits; nothing was taken
   */
  public void acquire(long bytes) throws InterruptedException {
    checkRequest(bytes);
    Wakened taker = new Wakened();
    Request request = new Request(bytes, null, taker);
    boolean asked = ask(request);
    assert asked : "a request without a share is always taken";
    try {
      taker.served.await();
    } catch (InterruptedException e) {
      if (!withdraw(request)) {
        release(bytes);
      }
      throw e;
    }
  }

  /** A thread that waits. */
  private static final class Wakened implements Taker {
    private final CountDownLatch served = new CountDownLatch(1);

    @Override
    public void onTaken() {
      served.countDown();
    }

    @Override
    public void onShareClosed() {
      throw new IllegalStateException("a waiting thread has no share");
    }
  }

  /**
   * Takes {@code bytes} if they are there now and nobody waits for them.
   *
   * @return whether they were taken
   * @throws IllegalArgumentException if they are more than the whole budget
   */
  public boolean tryAcquire(long bytes) {
    return tryAcquire(bytes, null);
  }

  private boolean tryAcquire(long bytes, @Nullable Share share) {
    checkRequest(bytes);
    lock.lock();
    try {
      boolean free = waiting.stream().noneMatch(this::isWithinShare);
      Request request = new Request(bytes, share, NOBODY);
      if (!isWithinShare(request) || !((free && fits(request)) || request.isFirstOfShare())) {
        return false;
      }
      take(request);
      return true;
    } finally {
      lock.unlock();
    }
  }

  private static final Taker NOBODY =
      new Taker() {
        @Override
        public void onTaken() {}

        @Override
        public void onShareClosed() {}
      };

  /** Gives {@code bytes} back that were taken before. */
  public void release(long bytes) {
    release(bytes, null);
  }

  private void release(long bytes, @Nullable Share share) {
    List<Request> served;
    lock.lock();
    try {
      long takenBytes = share == null ? usedBytes : share.usedBytes;
      if (bytes < 0 || bytes > takenBytes) {
        throw new IllegalStateException(
            "%,d bytes given back, %,d in use".formatted(bytes, takenBytes));
      }
      usedBytes -= bytes;
      if (share != null) {
        share.usedBytes -= bytes;
      }
      served = serve();
    } finally {
      lock.unlock();
    }
    served.forEach(request -> request.taker().onTaken());
  }

  /** Opens a share, to be closed. */
  public Share openShare() {
    lock.lock();
    try {
      openShares++;
    } finally {
      lock.unlock();
    }
    return new Share();
  }

  /** Whether it was added; not if its share is closed. */
  private boolean ask(Request request) {
    List<Request> served;
    lock.lock();
    try {
      Share share = request.share();
      if (share != null && share.closed) {
        return false;
      }
      waiting.add(request);
      served = serve();
    } finally {
      lock.unlock();
    }
    served.forEach(next -> next.taker().onTaken());
    return true;
  }

  /** Whether it was still waiting; whoever stands behind may be next. */
  private boolean withdraw(Request request) {
    List<Request> served;
    lock.lock();
    try {
      if (!waiting.remove(request)) {
        return false;
      }
      served = serve();
    } finally {
      lock.unlock();
    }
    served.forEach(next -> next.taker().onTaken());
    return true;
  }

  /** Takes what the next requests ask for, as far as there is room. Under the lock. */
  private List<Request> serve() {
    List<Request> served = new ArrayList<>(1);
    boolean full = false;
    for (Iterator<Request> next = waiting.iterator(); next.hasNext(); ) {
      Request request = next.next();
      if (!isWithinShare(request)) {
        continue;
      }
      if ((!full && fits(request)) || request.isFirstOfShare()) {
        take(request);
        next.remove();
        served.add(request);
      } else {
        full = true; // Nobody passes who would take from the same room.
      }
    }
    return served;
  }

  private boolean fits(Request request) {
    return request.bytes() <= limitBytes - usedBytes;
  }

  private boolean isWithinShare(Request request) {
    Share share = request.share();
    return share == null
        || share.usedBytes == 0
        || request.bytes() <= limitBytes / Math.max(1, openShares) - share.usedBytes;
  }

  private void take(Request request) {
    usedBytes += request.bytes();
    peakBytes = Math.max(peakBytes, usedBytes);
    Share share = request.share();
    if (share != null) {
      share.usedBytes += request.bytes();
    }
  }

  private void checkRequest(long bytes) {
    if (bytes < 0 || bytes > limitBytes) {
      throw new IllegalArgumentException(
          "a request for %,d bytes exceeds the budget of %,d".formatted(bytes, limitBytes));
    }
  }

  /** The part of one of several that use the budget together. Thread-safe. */
  public final class Share implements AutoCloseable {
    /** Guarded by the lock of the budget, as is the other one. */
    private long usedBytes;

    private boolean closed;

    private Share() {}

    /**
     * Takes {@code bytes} when they are there, without waiting.
     *
     * @param taker called once, at once on this thread or later on one that gives bytes back
     * @throws IllegalArgumentException if they are more than the whole budget
     */
    public void acquire(long bytes, Taker taker) {
      checkRequest(bytes);
      if (!ask(new Request(bytes, this, taker))) {
        taker.onShareClosed();
      }
    }

    /** As {@link ByteBudget#tryAcquire(long)}, within this share. */
    public boolean tryAcquire(long bytes) {
      return ByteBudget.this.tryAcquire(bytes, this);
    }

    /** Gives bytes back that were taken through this share, also after it was closed. */
    public void release(long bytes) {
      ByteBudget.this.release(bytes, this);
    }

    /** Withdraws what it still asks for. What it has taken stays in use until it is given back. */
    @Override
    public void close() {
      List<Request> withdrawn = new ArrayList<>();
      List<Request> served;
      lock.lock();
      try {
        if (closed) {
          return;
        }
        closed = true;
        openShares--;
        for (Request request : waiting) {
          if (request.share() == this) {
            withdrawn.add(request);
          }
        }
        waiting.removeAll(withdrawn);
        served = serve();
      } finally {
        lock.unlock();
      }
      withdrawn.forEach(request -> request.taker().onShareClosed());
      served.forEach(request -> request.taker().onTaken());
    }
  }
}
