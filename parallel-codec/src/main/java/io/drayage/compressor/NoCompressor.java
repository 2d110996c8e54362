package io.drayage.compressor;

import java.io.InputStream;
import java.io.OutputStream;

/** Leaves bytes as they are, without a copy. */
final class NoCompressor implements Compressor {
  @Override
  public int id() {
    return 1;
  }

  @Override
  public String name() {
    return "none";
  }

  @Override
  public OutputStream compressing(OutputStream out) {
    return out;
  }

  @Override
  public InputStream decompressing(InputStream in) {
    return in;
  }
}
