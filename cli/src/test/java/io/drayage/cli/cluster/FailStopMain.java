package io.drayage.cli.cluster;

import io.drayage.codec.pool.CodecPool;
import io.drayage.internal.FatalErrors;
import java.util.ArrayList;
import java.util.List;

/** A process with a failing thread, which would not end by itself. */
final class FailStopMain {
  private static final int PIECE_BYTES = 1 << 20;

  private FailStopMain() {}

  /**
   * Fails.
   *
   * @param args the case
   */
  public static void main(String[] args) throws InterruptedException {
    FailStop.install();
    try (CodecPool pool = new CodecPool(1, "encode")) {
      boolean unused = pool.submit(thread -> fail(args[0]));
      Thread.sleep(Long.MAX_VALUE);
    }
  }

  private static void fail(String how) {
    switch (how) {
      case "thrown" -> fill();
      case "caught" -> {
        try {
          fill();
        } catch (OutOfMemoryError e) {
          FatalErrors.report(new IllegalStateException("answered to somebody", e));
        }
      }
      case "invariant" -> throw new AssertionError("one and one is three");
      case "mistake" -> {
        Thread self = Thread.currentThread();
        self.getUncaughtExceptionHandler()
            .uncaughtException(self, new IllegalStateException("not fatal"));
        throw new AssertionError("after that");
      }
      default -> throw new IllegalArgumentException(how);
    }
  }

  private static void fill() {
    List<byte[]> all = new ArrayList<>();
    while (all.size() < Integer.MAX_VALUE) {
      all.add(new byte[PIECE_BYTES]);
    }
  }
}
