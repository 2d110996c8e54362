package io.drayage.bench.rig.node;

import io.drayage.bench.ByteSize;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * Reports how much of a cargo on demand has been made, {@value #STEPS} times on the way, from the
 * thread that makes the page which crosses a border. Thread-safe.
 */
final class StreamProgress implements LongConsumer {
  private static final int STEPS = 10;

  private final long totalBytes;
  private final Consumer<String> out;
  private final AtomicLong madeBytes = new AtomicLong();
  private volatile String activity = "";

  StreamProgress(long totalBytes, Consumer<String> out) {
    this.totalBytes = totalBytes;
    this.out = out;
  }

  /** Starts anew. To be called while no page is made. */
  void begin(String what) {
    activity = what;
    madeBytes.set(0);
  }

  @Override
  public void accept(long bytes) {
    long made = madeBytes.addAndGet(bytes);
    long step = Math.max(1, totalBytes / STEPS);
    if (made / step != (made - bytes) / step) {
      out.accept(
          "%s: %s of %s"
              .formatted(
                  activity,
                  ByteSize.format(Math.min(made, totalBytes)),
                  ByteSize.format(totalBytes)));
    }
  }
}
