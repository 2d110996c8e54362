package io.drayage.bench.cargoes;

import io.drayage.cargo.ChangeCargo;
import java.util.function.LongConsumer;

/**
 * A source that can make the pages of its cargo one by one, so that it need not fit into memory.
 */
public interface StreamableSource extends CargoSource {
  /** The raw bytes of the cargo. */
  long rawBytes();

  /**
   * The cargo of {@link #load}, but its pages are made when they are asked for, and not kept.
   *
   * @param madeBytes receives the raw bytes of each page that is made, on the thread that makes it
   */
  ChangeCargo streaming(LongConsumer madeBytes);
}
