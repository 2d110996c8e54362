package io.drayage.columnar.text;

import io.drayage.columnar.stream.Scheme;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One way to write texts. An instance keeps its memory from segment to segment. Not thread-safe.
 */
abstract class TextEncoding {
  private final int id;
  private final String name;

  /**
   * @param id the number on the wire, 16 to 31; frozen
   * @param name as in what {@link Scheme} shows
   */
  TextEncoding(int id, String name) {
    this.id = id;
    this.name = name;
  }

  final int id() {
    return id;
  }

  final String name() {
    return name;
  }

  /**
   * Writes texts from the target's position on.
   *
   * @param texts at least one
   * @param target little-endian; has room for what the plain form takes and no more
   * @return the streams within; null if the texts do not suit this encoding or do not fit: the
   *     target's position and what is behind it then mean nothing
   */
  abstract @Nullable List<Scheme> write(Texts texts, ByteBuffer target);

  /**
   * Reads exactly {@code count} texts and exactly the remaining bytes of the source.
   *
   * @param source little-endian, from a peer: may hold anything
   * @param within gets the streams within
   * @return bytes that nobody has checked to be UTF-8, in arrays of their own
   * @throws ShipmentException if the bytes are no such texts, or stand for more than a segment may
   *     hold. Everything is checked before memory is set aside for it
   */
  abstract Texts read(ByteBuffer source, int count, List<Scheme> within) throws ShipmentException;
}
