package io.drayage.codec;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * Turns bytes into fewer bytes and back, in both pipelines, at one level. Thread-safe: what has
 * state is made per call, or per thread by {@link #newSegmentCompressor}. Compressors of one kind
 * and level are equal. What one level wrote any other can read.
 */
public interface Compressor extends Codec {
  /** The number of {@code none}, which also marks a segment that did not become smaller. */
  int STORED_ID = 1;

  /** The levels there are; {@link Levels#NONE} unless overridden. */
  default Levels levels() {
    return Levels.NONE;
  }

  /**
   * This compressor at another level.
   *
   * @throws IllegalArgumentException if there is no such level, naming those there are
   */
  default Compressor atLevel(int level) {
    throw new IllegalArgumentException(
        "compressor %s has no levels, so not %d either".formatted(name(), level));
  }

  /**
   * The most bytes that one compressed byte can stand for in this format. A segment that claims
   * more is refused before memory is set aside for it.
   */
  int maxRatio();

  /** A stream that compresses into {@code out}; closing it ends the compressed data. */
  OutputStream compressing(OutputStream out) throws IOException;

  /** A stream of what was compressed into {@code in}. */
  InputStream decompressing(InputStream in) throws IOException;

  /**
   * The same for bytes of a peer. What the bytes say of the memory that it takes to read them is
   * charged first, if that may be much, and later bytes cannot ask for more.
   */
  default InputStream decompressing(InputStream in, MemoryCharge memory) throws IOException {
    return decompressing(in);
  }

  /** A compressor of single segments for one thread, for the segments pipeline. */
  SegmentCompressor newSegmentCompressor();
}
