package io.drayage.codec;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import net.jpountz.lz4.LZ4Factory;

/** LZ4, the fast kind. */
record Lz4Compressor() implements Compressor {
  @Override
  public int id() {
    return 2;
  }

  @Override
  public String name() {
    return "lz4";
  }

  @Override
  public int maxRatio() {
    return Lz4Streams.MAX_RATIO;
  }

  @Override
  public OutputStream compressing(OutputStream out) throws IOException {
    return Lz4Streams.compressing(out, LZ4Factory.fastestInstance().fastCompressor());
  }

  @Override
  public InputStream decompressing(InputStream in) throws IOException {
    return Lz4Streams.decompressing(in);
  }

  @Override
  public SegmentCompressor newSegmentCompressor() {
    return new Lz4SegmentCompressor(name(), LZ4Factory.fastestInstance().fastCompressor());
  }
}
