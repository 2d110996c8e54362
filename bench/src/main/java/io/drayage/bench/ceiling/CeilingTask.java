package io.drayage.bench.ceiling;

import io.drayage.bench.child.ControlMessages.Listening;
import org.jspecify.annotations.Nullable;

/**
 * What a child measures.
 *
 * @param bytes how many; raw bytes of a cargo for a codec
 * @param codec of {@link CeilingRow.Kind#ENCODE} and {@link CeilingRow.Kind#DECODE}
 * @param folder where a file may be written
 * @param sink where {@link CeilingRow.Kind#SOCKET} sends to; null in the sink's own process
 */
record CeilingTask(
    CeilingRow.Kind kind,
    long bytes,
    @Nullable String codec,
    String folder,
    @Nullable Listening sink) {
  /** The child is ready to move this many bytes. */
  record Ready(long bytes) {}

  /**
   * How long one run took.
   *
   * @param proof of no meaning, but that there is a result
   */
  record Took(long ns, int proof) {}
}
