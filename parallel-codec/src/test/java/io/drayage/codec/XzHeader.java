package io.drayage.codec;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;

/** The header of the first block of an xz stream with one filter, 12 bytes from its start. */
public final class XzHeader {
  /** {@code 2 << (20 / 2 + 11)}. */
  public static final byte DICTIONARY_OF_4_MIB = 20;

  public static final byte DICTIONARY_OF_6_MIB = 21;
  public static final byte DICTIONARY_OF_96_MIB = 29;

  private static final int START = 12;
  private static final int DICTIONARY_AT = START + 4;
  private static final int CHECKED_BYTES = 8;

  private XzHeader() {}

  /** Makes the header state another size of the dictionary, with a valid checksum. */
  public static void stateDictionary(byte[] stream, byte size) {
    stream[DICTIONARY_AT] = size;
    CRC32 checksum = new CRC32();
    checksum.update(stream, START, CHECKED_BYTES);
    ByteBuffer.wrap(stream)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(START + CHECKED_BYTES, (int) checksum.getValue());
  }
}
