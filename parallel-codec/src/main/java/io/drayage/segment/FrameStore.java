package io.drayage.segment;

import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Keeps the frames of one cargo until it is whole. Thread-safe. What cannot be kept is {@code
 * REFUSED}, or {@code LIMIT} if it is more than the manifest justifies.
 */
public interface FrameStore {
  /** Keeps a frame: the manifest first, then segments in any order. Its position is left alone. */
  void append(ByteBuffer frame) throws ShipmentException;

  /**
   * Makes the cargo durable, whole or not at all. To be called once, when no {@link #append} runs.
   *
   * @param seal the last frame
   * @return the file that holds it now; empty if this store keeps nothing
   */
  Optional<Path> finish(ByteBuffer seal) throws ShipmentException;

  /** Leaves nothing behind, whether finished or not. May be called again, and at any time. */
  void abort();

  /** A store that keeps nothing, for a machine whose disk is too slow or too small. */
  static FrameStore discarding() {
    return new FrameStore() {
      @Override
      public void append(ByteBuffer frame) {}

      @Override
      public Optional<Path> finish(ByteBuffer seal) {
        return Optional.empty();
      }

      @Override
      public void abort() {}
    };
  }
}
