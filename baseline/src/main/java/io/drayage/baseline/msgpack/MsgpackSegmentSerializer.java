package io.drayage.baseline.msgpack;

import io.drayage.baseline.stream.MemoryAccount;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.PartContent;
import io.drayage.cargo.RowBits;
import io.drayage.codec.SegmentRows;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.memory.ByteBufferInputStream;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentSerializer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessagePacker;
import org.msgpack.core.MessageUnpacker;
import org.msgpack.core.buffer.InputStreamBufferInput;

/**
 * One segment as MessagePack: an array of its values, or a binary if they are bytes; for a column
 * with validity bits an array of their words behind it; of a bit set, its words alone. Values go
 * straight from the pages into the packer's buffer of 8 kB, and from there into the target: the
 * library can only address a direct buffer itself if the JDK's internals are opened to it.
 */
final class MsgpackSegmentSerializer implements SegmentSerializer {
  private static final int HEADER_BYTES = 5;
  private static final int MAX_BYTES_PER_LONG = 9;

  /** Of the header of an extension, the longest. */
  private static final int TEXT_HEADER_BYTES = 6;

  /** Of UTF-8. */
  private static final int MAX_BYTES_PER_CHAR = 3;

  private final MsgpackTarget target = new MsgpackTarget();

  @Override
  public int maxSerializedBytes(Segment segment, PartContent content) {
    long wordsBytes = HEADER_BYTES + (long) SegmentRows.wordCount(segment) * MAX_BYTES_PER_LONG;
    if (!(content instanceof ColumnValues values)) {
      return Math.toIntExact(wordsBytes);
    }
    long bytes = HEADER_BYTES + (values.validity() == null ? 0 : wordsBytes);
    bytes +=
        values.type().isFixedWidth()
            ? (long) segment.rowCount() * maxBytes(values.type())
            : SegmentRows.maxTextBytes(values, segment, TEXT_HEADER_BYTES, MAX_BYTES_PER_CHAR);
    return Math.toIntExact(bytes);
  }

  private static int maxBytes(ColumnType type) {
    // One byte tells what follows; booleans are only that, and bytes have none.
    return type.widthBytes() == 1 ? 1 : 1 + type.widthBytes();
  }

  @Override
  public void serialize(Segment segment, PartContent content, ByteBuffer bytes) {
    target.writeTo(bytes);
    try {
      MessagePacker packer = MessagePack.DEFAULT_PACKER_CONFIG.newPacker(target);
      if (content instanceof ColumnValues values) {
        writeValues(packer, segment, values);
        RowBits validity = values.validity();
        if (validity != null) {
          writeWords(packer, segment, validity);
        }
      } else {
        writeWords(packer, segment, (RowBits) content);
      }
      packer.flush();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write into memory", e);
    }
  }

  private static void writeValues(MessagePacker packer, Segment segment, ColumnValues values)
      throws IOException {
    MsgpackPages.writeHeader(packer, values.type(), segment.rowCount());
    for (int done = 0; done < segment.rowCount(); ) {
      long row = segment.firstRow() + done;
      int offset = values.offsetOf(row);
      int count = Math.min(segment.rowCount() - done, values.rowsPerPage() - offset);
      MsgpackPages.write(packer, values.page(values.pageOf(row)), offset, count);
      done += count;
    }
  }

  private static void writeWords(MessagePacker packer, Segment segment, RowBits bits)
      throws IOException {
    long[] words = SegmentRows.words(bits, segment);
    packer.packArrayHeader(words.length);
    MsgpackPages.write(packer, words, 0, words.length);
  }

  @Override
  public void deserialize(Segment segment, ByteBuffer source, PartContent content)
      throws ShipmentException {
    // All texts together are charged no more than the bytes that are there.
    MemoryAccount memory = new MemoryAccount(source.remaining());
    MessageUnpacker unpacker =
        MessagePack.newDefaultUnpacker(
            new InputStreamBufferInput(new ByteBufferInputStream(source)));
    try {
      if (content instanceof ColumnValues values) {
        readValues(unpacker, new MsgpackText(unpacker, memory), segment, values);
        RowBits validity = values.validity();
        if (validity != null) {
          readWords(unpacker, segment, validity);
        }
      } else {
        readWords(unpacker, segment, (RowBits) content);
      }
      if (unpacker.hasNext()) {
        throw new IOException("there are bytes behind the last value");
      }
    } catch (IOException e) {
      throw decodeFailure(segment, String.valueOf(e.getMessage()), e);
    } catch (RuntimeException e) {
      throw decodeFailure(segment, MsgpackSerializer.describe(e), e);
    }
  }

  private static void readValues(
      MessageUnpacker unpacker, MsgpackText text, Segment segment, ColumnValues values)
      throws IOException {
    requireLength(MsgpackPages.readHeader(unpacker, values.type()), segment.rowCount());
    for (int done = 0; done < segment.rowCount(); ) {
      long row = segment.firstRow() + done;
      int offset = values.offsetOf(row);
      int count = Math.min(segment.rowCount() - done, values.rowsPerPage() - offset);
      MsgpackPages.read(unpacker, text, values.pageForWrite(values.pageOf(row)), offset, count);
      done += count;
    }
  }

  private static void readWords(MessageUnpacker unpacker, Segment segment, RowBits bits)
      throws IOException {
    long[] words = new long[SegmentRows.wordCount(segment)];
    requireLength(unpacker.unpackArrayHeader(), words.length);
    for (int w = 0; w < words.length; w++) {
      words[w] = unpacker.unpackLong();
    }
    SegmentRows.putWords(words, bits, segment);
  }

  private static void requireLength(int length, int expected) throws IOException {
    if (length != expected) {
      throw new IOException("an array of %,d where one of %,d belongs".formatted(length, expected));
    }
  }

  private static ShipmentException decodeFailure(Segment segment, String why, Exception cause) {
    return new ShipmentException(
        Fault.DECODE, "%s cannot be read: %s".formatted(segment, why), cause);
  }
}
