package io.drayage.bench.cargoes;

/** Refuses a cargo that cannot fit before minutes are spent on filling the heap. */
final class HeapRoom {
  private static final long GIB = 1L << 30;

  private HeapRoom() {}

  /**
   * @throws IllegalStateException if the largest heap of this JVM is below {@code bytes}
   */
  static void require(long bytes, String cargo) {
    long maxHeapBytes = Runtime.getRuntime().maxMemory();
    if (bytes > maxHeapBytes) {
      throw new IllegalStateException(
          "%s needs more than the largest heap of %,d bytes; raise it, for instance with DRAYAGE_JAVA_OPTS=-Xmx%dg"
              .formatted(cargo, maxHeapBytes, 2 * bytes / GIB + 1));
    }
  }
}
