package io.drayage.columnar.text;

import io.drayage.columnar.stream.Streams;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One way to write the texts of a segment. An instance keeps its memory from segment to segment.
 * Not thread-safe.
 */
public interface TextEncoding {
  /** The frozen number on the wire, 16 to 31. */
  int id();

  /**
   * Writes texts from the target's position on.
   *
   * @param texts the texts; null for a null. The array may be longer than {@code count}
   * @param streams writes the integers of this encoding
   * @param target little-endian; has space for what the plain form takes and no more
   * @return false if the texts do not suit this encoding or do not fit; the target's position and
   *     what is behind it then mean nothing
   */
  boolean write(@Nullable String[] texts, int count, Streams streams, ByteBuffer target);

  /**
   * Reads exactly {@code count} texts and exactly the remaining bytes of the source.
   *
   * @param source little-endian, from a peer: may hold anything
   * @param target filled from 0 on
   * @throws ShipmentException {@code DECODE} if the bytes are no such texts. Everything is checked
   *     before memory is set aside for it: what is allocated stays in proportion to the bytes and
   *     to {@code count}
   */
  void read(ByteBuffer source, int count, Streams streams, @Nullable String[] target)
      throws ShipmentException;
}
