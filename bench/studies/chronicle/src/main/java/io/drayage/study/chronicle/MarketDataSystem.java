package io.drayage.study.chronicle;

import java.io.IOException;

/** One way to write objects into reused memory. Not thread-safe. */
interface MarketDataSystem extends AutoCloseable {
  /** Returns an object of the class that the system needs. */
  MarketData newObject();

  /** Writes an object over the last one, and returns its number of bytes. */
  long write(MarketData data) throws IOException;

  /** Reads the written object, into {@code data} if possible. */
  MarketData read(MarketData data) throws IOException;

  /** Returns the number of objects that a call handles, all equal. */
  default int objectsPerCall() {
    return 1;
  }

  @Override
  default void close() {}
}
