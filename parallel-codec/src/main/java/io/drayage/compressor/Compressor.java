package io.drayage.compressor;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** Turns bytes into fewer bytes and back. Thread-safe. */
public interface Compressor {
  /** The frozen number of this compressor on the wire, 1 to 255. */
  int id();

  /** The name in a system's notation: {@code none}. */
  String name();

  /** A stream that compresses into {@code out}; closing it ends the compressed data. */
  OutputStream compressing(OutputStream out) throws IOException;

  /** A stream of what was compressed into {@code in}. */
  InputStream decompressing(InputStream in) throws IOException;
}
