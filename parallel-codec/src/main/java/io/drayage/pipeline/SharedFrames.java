package io.drayage.pipeline;

import io.drayage.memory.Lease;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lets two read the frames of a shipment at a time: each gets a lease with a view of its own, and
 * the frame is given back when both have closed theirs. Thread-safe.
 */
final class SharedFrames {
  /** Guarded by this. */
  private int sharedCount;

  /** Guarded by this. */
  private final List<CompletableFuture<BitSet>> waiting = new ArrayList<>();

  /** The two ends of one frame. */
  record Pair(Lease first, Lease second) {}

  /** Splits a lease, which belongs to the pair from now on. */
  Pair share(Lease frame) {
    synchronized (this) {
      sharedCount++;
    }
    AtomicInteger holders = new AtomicInteger(2);
    Runnable giveBack =
        () -> {
          if (holders.decrementAndGet() == 0) {
            frame.close();
            ended();
          }
        };
    return new Pair(view(frame, giveBack), view(frame, giveBack));
  }

  private static Lease view(Lease frame, Runnable giveBack) {
    return new Lease(frame.buffer().duplicate().order(ByteOrder.LITTLE_ENDIAN), giveBack);
  }

  private void ended() {
    List<CompletableFuture<BitSet>> released = List.of();
    synchronized (this) {
      if (--sharedCount == 0) {
        released = List.copyOf(waiting);
        waiting.clear();
      }
    }
    released.forEach(gate -> gate.complete(new BitSet()));
  }

  /** Completes as {@code answer} does, but not before every frame shared so far is given back. */
  CompletableFuture<BitSet> whenGivenBack(CompletableFuture<BitSet> answer) {
    CompletableFuture<BitSet> gate = new CompletableFuture<>();
    boolean open;
    synchronized (this) {
      open = sharedCount == 0;
      if (!open) {
        waiting.add(gate);
      }
    }
    return open ? answer : answer.thenCombine(gate, (held, unused) -> held);
  }
}
