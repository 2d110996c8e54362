package io.drayage.bench.ceiling;

import io.drayage.bench.child.ControlMessages.Listening;
import org.jspecify.annotations.Nullable;

/** What the command and its child processes say to each other, over the rig's control channel. */
final class CeilingMessages {
  private CeilingMessages() {}

  /**
   * What a child is to measure.
   *
   * @param bytes how many bytes; raw bytes of a cargo for a codec
   * @param folder where a file may be written
   */
  record Task(CeilingRow.Kind kind, @Nullable String codec, long bytes, String folder) {}

  /** It is ready, and this many bytes it will move. */
  record Ready(long bytes) {}

  /** Where the sink is, and how many bytes shall go there. */
  record Sink(Listening at, long bytes) {}

  /**
   * How long it took once.
   *
   * @param proof of no meaning, but that there is a result
   */
  record Took(long ns, int proof) {}
}
