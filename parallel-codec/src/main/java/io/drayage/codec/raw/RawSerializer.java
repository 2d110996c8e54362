package io.drayage.codec.raw;

import io.drayage.codec.FramedSerializer;
import io.drayage.segment.SegmentSerializer;

/**
 * The plain form of a cargo: little-endian values, copied in bulk. In the segments pipeline each
 * segment is written by a {@link RawSegmentSerializer}; as a stream, a cargo is its frames, one
 * after the other ({@link FramedSerializer}).
 */
public final class RawSerializer extends FramedSerializer {
  static final int ID = 2;

  @Override
  public int id() {
    return ID;
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
}
