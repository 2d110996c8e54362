package io.drayage.memory;

import static io.drayage.internal.Texts.format;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the bytes in use: memory is acquired from the budget before it is allocated.
 *
 * <p>Thread-safe. Requests are served in FIFO order, so that small requests do not starve a large
 * one. A caller waits ({@link #acquire}), gives up ({@link #tryAcquire}), or passes a listener
 * ({@link Share#acquire}).
 *
 * <p>Users of one budget that may stall independently each open a {@link Share}. A share may use an
 * equal part of the budget: the limit divided by the open shares. A request beyond that part waits,
 * and requests of other shares pass it. A share that uses nothing is served at once even if the
 * budget is exhausted, so that no user can stall another. So the limit may be exceeded by one
 * request for every share but one.
 */
public final class ByteBudget {
  private final long limitBytes;
  private final ReentrantLock lock = new ReentrantLock();

  /** Waiting requests in FIFO order. */
  private final Queue<Request> waiting = new ArrayDeque<>();

  private int openShares;
  private long usedBytes;
  private long peakBytes;

  /** Gets the outcome of a request. Called without a lock, on any thread; must not block. */
  public interface AcquireListener {
    /** The bytes were acquired, and must be released. */
    void onAcquired();

    /** The share is closed; nothing was acquired. */
    void onShareClosed();
  }

  private record Request(long bytes, @Nullable Share share, AcquireListener listener) {
    // Equal only to itself, since a listener has one request at a time.
  }

  /**
   * @throws IllegalArgumentException if the limit is not positive
   */
  public ByteBudget(long limitBytes) {
    if (limitBytes <= 0) {
      throw new IllegalArgumentException(
          format("a byte budget must be positive, not %,d", limitBytes));
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
   * Acquires {@code bytes}, and waits for them. Not for event loops.
   *
   * @throws IllegalArgumentException if the request exceeds the whole budget
   * @throws InterruptedException if interrupted while waiting; then nothing was acquired
   */
  public void acquire(long bytes) throws InterruptedException {
    checkRequest(bytes);
    Wakened listener = new Wakened();
    Request request = new Request(bytes, null, listener);
    boolean asked = ask(request);
    assert asked : "a request without a share is always accepted";
    try {
      listener.served.await();
    } catch (InterruptedException e) {
      if (!withdraw(request)) {
        release(bytes);
      }
      throw e;
    }
  }

  /** The listener of a waiting thread. */
  private static final class Wakened implements AcquireListener {
    private final CountDownLatch served = new CountDownLatch(1);

    @Override
    public void onAcquired() {
      served.countDown();
    }

    @Override
    public void onShareClosed() {
      throw new IllegalStateException("a waiting thread has no share");
    }
  }

  /**
   * Acquires {@code bytes} if they are free and no request waits.
   *
   * @return whether they were acquired
   * @throws IllegalArgumentException if the request exceeds the whole budget
   */
  public boolean tryAcquire(long bytes) {
    return tryAcquire(bytes, null);
  }

  private boolean tryAcquire(long bytes, @Nullable Share share) {
    checkRequest(bytes);
    lock.lock();
    try {
      boolean fits = waiting.stream().noneMatch(this::isWithinShare) && fits(bytes);
      if (!isWithinShare(bytes, share) || !(fits || isFirst(share))) {
        return false;
      }
      charge(bytes, share);
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Releases {@code bytes} that were acquired before. */
  public void release(long bytes) {
    release(bytes, null);
  }

  private void release(long bytes, @Nullable Share share) {
    List<Request> served;
    lock.lock();
    try {
      long acquiredBytes = share == null ? usedBytes : share.usedBytes;
      if (bytes < 0 || bytes > acquiredBytes) {
        throw new IllegalStateException(
            format("%,d bytes released, %,d in use", bytes, acquiredBytes));
      }
      usedBytes -= bytes;
      if (share != null) {
        share.usedBytes -= bytes;
      }
      served = serve();
    } finally {
      lock.unlock();
    }
    served.forEach(request -> request.listener().onAcquired());
  }

  /** Opens a share, which the caller must close. */
  public Share openShare() {
    lock.lock();
    try {
      openShares++;
    } finally {
      lock.unlock();
    }
    return new Share();
  }

  /** Adds a request; false if its share is closed. */
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
    served.forEach(next -> next.listener().onAcquired());
    return true;
  }

  /** Removes a request, and serves later ones. Returns false if the request no longer waited. */
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
    served.forEach(next -> next.listener().onAcquired());
    return true;
  }

  /** Acquires bytes for the next requests, as far as the budget allows. Called under the lock. */
  private List<Request> serve() {
    List<Request> served = new ArrayList<>(1);
    boolean full = false;
    for (Iterator<Request> next = waiting.iterator(); next.hasNext(); ) {
      Request request = next.next();
      if (!isWithinShare(request)) {
        continue;
      }
      if ((!full && fits(request.bytes())) || isFirst(request.share())) {
        charge(request.bytes(), request.share());
        next.remove();
        served.add(request);
      } else {
        full = true; // Later requests wait too: small ones would starve it.
      }
    }
    return served;
  }

  private boolean fits(long bytes) {
    return bytes <= limitBytes - usedBytes;
  }

  /** Whether a request of this share may be served before others release bytes. */
  private static boolean isFirst(@Nullable Share share) {
    return share != null && share.usedBytes == 0;
  }

  private boolean isWithinShare(Request request) {
    return isWithinShare(request.bytes(), request.share());
  }

  private boolean isWithinShare(long bytes, @Nullable Share share) {
    return share == null
        || share.usedBytes == 0
        || bytes <= limitBytes / Math.max(1, openShares) - share.usedBytes;
  }

  private void charge(long bytes, @Nullable Share share) {
    usedBytes += bytes;
    peakBytes = Math.max(peakBytes, usedBytes);
    if (share != null) {
      share.usedBytes += bytes;
    }
  }

  private void checkRequest(long bytes) {
    if (bytes < 0 || bytes > limitBytes) {
      throw new IllegalArgumentException(
          format("a request for %,d bytes exceeds the budget of %,d", bytes, limitBytes));
    }
  }

  /** The part of one user in a budget that several users share. Thread-safe. */
  public final class Share implements AutoCloseable {
    /** Guarded by the lock of the budget, like {@code closed}. */
    private long usedBytes;

    private boolean closed;

    private Share() {}

    /**
     * Acquires {@code bytes} as soon as possible, without waiting.
     *
     * @param listener called once: at once on this thread, or later on a thread that releases bytes
     * @throws IllegalArgumentException if the request exceeds the whole budget
     */
    public void acquire(long bytes, AcquireListener listener) {
      checkRequest(bytes);
      if (!ask(new Request(bytes, this, listener))) {
        listener.onShareClosed();
      }
    }

    /** Acquires bytes as {@link ByteBudget#tryAcquire(long)}, within this share. */
    public boolean tryAcquire(long bytes) {
      return ByteBudget.this.tryAcquire(bytes, this);
    }

    /** Releases bytes that were acquired through this share, also after it was closed. */
    public void release(long bytes) {
      ByteBudget.this.release(bytes, this);
    }

    /**
     * Withdraws the requests of this share. Acquired bytes stay in use until they are released. If
     * a call fails because memory is missing, another call withdraws the remaining requests.
     */
    @Override
    public void close() {
      lock.lock();
      try {
        if (!closed) {
          closed = true;
          openShares--;
        }
      } finally {
        lock.unlock();
      }
      for (Request next = withdraw(); next != null; next = withdraw()) {
        next.listener().onShareClosed();
      }
      ByteBudget.this.release(0, null); // Serves other shares, whose part has grown.
    }

    private @Nullable Request withdraw() {
      lock.lock();
      try {
        for (Iterator<Request> each = waiting.iterator(); each.hasNext(); ) {
          Request request = each.next();
          if (request.share() == this) {
            each.remove();
            return request;
          }
        }
        return null;
      } finally {
        lock.unlock();
      }
    }
  }
}
