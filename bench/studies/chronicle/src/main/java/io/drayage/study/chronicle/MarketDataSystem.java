package io.drayage.study.chronicle;

import java.io.IOException;

/** One way to write objects into memory that is used again and again. Not thread-safe. */
interface MarketDataSystem extends AutoCloseable {
  /** An object of the class that it wants. */
  MarketData newObject();

  /** Writes an object over what was written before; the result is how many bytes it takes. */
  long write(MarketData data) throws IOException;

  /** Reads what was written, into this object if it can. */
  MarketData read(MarketData data) throws IOException;

  /** How many objects a call handles: equal ones. */
  default int objectsPerCall() {
    return 1;
  }

  @Override
  default void close() {}
}
