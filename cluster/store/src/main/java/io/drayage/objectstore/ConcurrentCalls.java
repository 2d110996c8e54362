package io.drayage.objectstore;

import io.drayage.internal.DaemonThreads;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Collection;
import java.util.Collections;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Makes several calls of a store at once, if there are many to make: most of the time of a call to
 * a distant store is latency.
 */
public final class ConcurrentCalls {
  /** The limit of concurrent calls: more would leave too little of the store to commits. */
  private static final int MAX_CALLS = 8;

  private ConcurrentCalls() {}

  /** The call that is made for each thing. */
  @FunctionalInterface
  public interface Call<T> {
    /** Makes the call, on any thread. */
    void call(T thing) throws IOException;
  }

  /**
   * Makes a call for each thing, in any order. After a failure, no more calls begin.
   *
   * @throws IOException the failure of a call; runtime exceptions and errors are thrown likewise
   */
  public static <T> void forEach(Collection<T> things, Call<T> call) throws IOException {
    if (things.size() <= 1) {
      for (T thing : things) {
        call.call(thing);
      }
      return;
    }
    Queue<T> left = new ConcurrentLinkedQueue<>(things);
    int threads = Math.min(MAX_CALLS, things.size());
    ExecutorService callers =
        Executors.newFixedThreadPool(threads, new DaemonThreads("store-call"));
    try {
      Callable<Void> caller =
          () -> {
            callAll(left, call);
            return null;
          };
      for (Future<Void> each : callers.invokeAll(Collections.nCopies(threads, caller))) {
        var unused = each.get();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted between calls of the store");
    } catch (ExecutionException e) {
      throw thrown(e.getCause());
    } finally {
      callers.shutdown();
    }
  }

  private static <T> void callAll(Queue<T> left, Call<T> call) throws IOException {
    try {
      for (T thing = left.poll(); thing != null; thing = left.poll()) {
        call.call(thing);
      }
    } finally {
      left.clear();
    }
  }

  private static IOException thrown(Throwable cause) {
    if (cause instanceof RuntimeException unchecked) {
      throw unchecked;
    } else if (cause instanceof Error error) {
      throw error;
    }
    return cause instanceof IOException io ? io : new IOException(cause);
  }
}
