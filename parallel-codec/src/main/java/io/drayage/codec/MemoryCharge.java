package io.drayage.codec;

import java.io.IOException;

/** Is asked before memory is taken. */
@FunctionalInterface
public interface MemoryCharge {
  /**
   * So many bytes are about to be taken, until the stream is closed.
   *
   * @throws IOException if they are not there, saying so
   */
  void charge(long bytes) throws IOException;
}
