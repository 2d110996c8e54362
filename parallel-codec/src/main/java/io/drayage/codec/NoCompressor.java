package io.drayage.codec;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;

/** Leaves bytes as they are, without a copy. */
record NoCompressor() implements Compressor {
  @Override
  public int id() {
    return STORED_ID;
  }

  @Override
  public String name() {
    return "none";
  }

  @Override
  public int maxRatio() {
    return 1;
  }

  /** Never compresses, so that every segment is stored as it is. */
  @Override
  public SegmentCompressor newSegmentCompressor() {
    return new SegmentCompressor() {
      @Override
      public boolean compress(ByteBuffer source, ByteBuffer target) {
        return false;
      }

      @Override
      public void decompress(ByteBuffer source, ByteBuffer target) throws ShipmentException {
        throw new ShipmentException(
            Fault.DECODE, "bytes that are stored as they are cannot be decompressed");
      }

      @Override
      public void close() {}
    };
  }
}
