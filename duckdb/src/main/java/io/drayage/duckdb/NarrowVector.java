package io.drayage.duckdb;

import io.drayage.cargo.Latin1Texts;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.VarCharVector;

/** Writes texts whose characters are a byte each as UTF-8, without an object for each. */
final class NarrowVector {
  private static final int OFFSET_BYTES = 4;

  private NarrowVector() {}

  /** Has a vector be the texts. */
  static void fill(VarCharVector vector, Latin1Texts texts) {
    int rows = texts.rows();
    byte[] characters = texts.characters();
    int first = texts.start(0);
    int size = texts.start(rows) - first;
    boolean ascii = Ascii.isAscii(characters, first, size);
    vector.allocateNew(ascii ? size : 2L * size, rows);
    ArrowBuf offsets = vector.getOffsetBuffer();
    ArrowBuf data = vector.getDataBuffer();
    offsets.setInt(0, 0);
    if (ascii) {
      data.setBytes(0, characters, first, size);
      for (int i = 1; i <= rows; i++) {
        offsets.setInt((long) i * OFFSET_BYTES, texts.start(i) - first);
      }
    } else {
      writeUtf8(texts, offsets, data);
    }
    ArrowBuf validity = vector.getValidityBuffer();
    validity.setOne(0L, (rows + 7) / 8);
    for (int i = 0; i < rows; i++) {
      if (texts.isNull(i)) {
        BitVectorHelper.unsetBit(validity, i);
      }
    }
    vector.setLastSet(rows - 1);
    vector.setValueCount(rows);
  }

  private static void writeUtf8(Latin1Texts texts, ArrowBuf offsets, ArrowBuf data) {
    byte[] characters = texts.characters();
    int at = 0;
    for (int row = 0; row < texts.rows(); row++) {
      for (int i = texts.start(row); i < texts.start(row + 1); i++) {
        int character = characters[i] & 0xFF;
        if (character < 0x80) {
          data.setByte(at++, character);
        } else {
          data.setByte(at++, 0xC0 | (character >> 6));
          data.setByte(at++, 0x80 | (character & 0x3F));
        }
      }
      offsets.setInt((row + 1L) * OFFSET_BYTES, at);
    }
  }
}
