package io.drayage.codec.raw;

import io.drayage.codec.Serializer;
import io.drayage.segment.SegmentSerializer;

/**
 * The plain form of a cargo: little-endian values, copied in bulk ({@link RawSegmentSerializer}).
 */
public final class RawSerializer implements Serializer {
  @Override
  public int id() {
    return RAW_ID;
  }

  @Override
  public String name() {
    return "raw";
  }

  @Override
  public boolean readsDataOnly() {
    return true;
  }

  @Override
  public SegmentSerializer newSegmentSerializer() {
    return new RawSegmentSerializer();
  }

  @Override
  public boolean isCheap() {
    return true;
  }
}
