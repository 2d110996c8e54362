package io.drayage.columnar.text;

import io.drayage.columnar.stream.Scheme;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An encoding of texts. An instance keeps its memory from segment to segment. Not thread-safe. */
abstract class TextEncoding {
  private final int id;
  private final String name;

  /**
   * @param id the number on the wire, 16 to 31; frozen
   * @param name as shown by {@link Scheme}
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
   * @param target little-endian; has exactly the room of the plain form
   * @return the inner streams; null if the texts do not suit this encoding or do not fit. Then the
   *     target's position and the bytes after it mean nothing
   */
  abstract @Nullable List<Scheme> write(TextSequence texts, ByteBuffer target);

  /**
   * Reads exactly {@code count} texts and exactly the remaining bytes of the source.
   *
   * @param source little-endian, from a peer: may hold any bytes
   * @param within receives the inner streams
   * @return texts in arrays of their own; their bytes are not checked to be UTF-8
   * @throws ShipmentException if the bytes are no such texts, or stand for more than a segment may
   *     hold. Every number is checked before memory is allocated by it
   */
  abstract TextSequence read(ByteBuffer source, int count, List<Scheme> within)
      throws ShipmentException;
}
