package io.drayage.bench.tune;

import io.drayage.bench.system.SystemUnderTest;
import io.drayage.bench.system.Systems;

/**
 * A codec in the segments pipeline over Netty.
 *
 * @param serializer its serializer's name
 * @param compressor its compressor's name, with a level if there is one: {@code zstd:1}
 */
public record TunedCodec(String serializer, String compressor) {
  /**
   * The system with so many threads on each side.
   *
   * @throws IllegalArgumentException if there is no such codec; the message tells what would be
   *     right
   */
  public SystemUnderTest system(int threads) {
    return Systems.notation().parse("netty:%s@%d".formatted(this, threads));
  }

  @Override
  public String toString() {
    return serializer + "+" + compressor;
  }
}
