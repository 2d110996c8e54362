package io.drayage.baseline.msgpack;

import io.drayage.cargo.ColumnType;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.msgpack.core.MessagePacker;
import org.msgpack.core.MessageUnpacker;

/** Packs and unpacks ranges of pages, value by value; bytes in one payload. */
final class MsgpackPages {
  private MsgpackPages() {}

  static void writeHeader(MessagePacker packer, ColumnType type, int count) throws IOException {
    if (type == ColumnType.BYTE) {
      packer.packBinaryHeader(count);
    } else {
      packer.packArrayHeader(count);
    }
  }

  /** How many values follow, as the stream states it. */
  static int readHeader(MessageUnpacker unpacker, ColumnType type) throws IOException {
    return type == ColumnType.BYTE ? unpacker.unpackBinaryHeader() : unpacker.unpackArrayHeader();
  }

  static void write(MessagePacker packer, Object page, int offset, int count) throws IOException {
    if (page instanceof long[] longs) {
      for (int i = offset; i < offset + count; i++) {
        packer.packLong(longs[i]);
      }
    } else if (page instanceof int[] ints) {
      for (int i = offset; i < offset + count; i++) {
        packer.packInt(ints[i]);
      }
    } else if (page instanceof double[] doubles) {
      for (int i = offset; i < offset + count; i++) {
        packer.packDouble(doubles[i]);
      }
    } else if (page instanceof float[] floats) {
      for (int i = offset; i < offset + count; i++) {
        packer.packFloat(floats[i]);
      }
    } else if (page instanceof short[] shorts) {
      for (int i = offset; i < offset + count; i++) {
        packer.packShort(shorts[i]);
      }
    } else if (page instanceof boolean[] booleans) {
      for (int i = offset; i < offset + count; i++) {
        packer.packBoolean(booleans[i]);
      }
    } else if (page instanceof byte[] bytes) {
      packer.writePayload(bytes, offset, count);
    } else {
      @Nullable String[] texts = (String[]) page;
      for (int i = offset; i < offset + count; i++) {
        MsgpackText.write(packer, texts[i]);
      }
    }
  }

  static void read(MessageUnpacker unpacker, MsgpackText text, Object page, int offset, int count)
      throws IOException {
    if (page instanceof long[] longs) {
      for (int i = offset; i < offset + count; i++) {
        longs[i] = unpacker.unpackLong();
      }
    } else if (page instanceof int[] ints) {
      for (int i = offset; i < offset + count; i++) {
        ints[i] = unpacker.unpackInt();
      }
    } else if (page instanceof double[] doubles) {
      for (int i = offset; i < offset + count; i++) {
        doubles[i] = unpacker.unpackDouble();
      }
    } else if (page instanceof float[] floats) {
      for (int i = offset; i < offset + count; i++) {
        floats[i] = unpacker.unpackFloat();
      }
    } else if (page instanceof short[] shorts) {
      for (int i = offset; i < offset + count; i++) {
        shorts[i] = unpacker.unpackShort();
      }
    } else if (page instanceof boolean[] booleans) {
      for (int i = offset; i < offset + count; i++) {
        booleans[i] = unpacker.unpackBoolean();
      }
    } else if (page instanceof byte[] bytes) {
      unpacker.readPayload(bytes, offset, count);
    } else {
      @Nullable String[] texts = (String[]) page;
      for (int i = offset; i < offset + count; i++) {
        texts[i] = text.read();
      }
    }
  }
}
