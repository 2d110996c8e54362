package io.drayage.columnar.text;

import static io.drayage.internal.Texts.format;

import io.drayage.columnar.stream.Malformed;
import io.drayage.columnar.stream.StreamTooLongException;
import io.drayage.columnar.stream.Streams;
import io.drayage.columnar.stream.Zstandard;
import io.drayage.frame.ShipmentException;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Each different text once, as {@link TerminatedTexts}, and the number of the text of each row.
 *
 * <pre>
 *   0                 4
 *   +-----------------+-----------+--------------------+-----------------------------------+
 *   | different texts | the texts | bytes of the codes | stream of a code per row; if that |
 *   | i32             |           | i32                | is not 0, a Zstandard frame of it |
 *   +-----------------+-----------+--------------------+-----------------------------------+
 * </pre>
 *
 * The codes and their length are absent if there is one text. Not thread-safe.
 */
final class TerminatedDictionary implements TextEncoding {
  static final int ID = 29;

  /** Longer codes do not end with bytes often enough for Zstandard to see that they repeat. */
  private static final int MAX_COMPRESSED_CODES = 16;

  private static final int MIN_BYTES = 256;
  private static final int MIN_SAVED_FRACTION = 8;

  private final TextDictionary dictionary = new TextDictionary();
  private final TextBytes texts;
  private final TerminatedTexts block;
  private final Zstandard zstd;
  private int[] codes = new int[0];

  /**
   * @param texts gets the different ones, once there is a dictionary
   * @param block writes and reads the different ones
   */
  TerminatedDictionary(TextBytes texts, TerminatedTexts block, Zstandard zstd) {
    this.texts = texts;
    this.block = block;
    this.zstd = zstd;
  }

  @Override
  public int id() {
    return ID;
  }

  @Override
  public boolean write(@Nullable String[] of, int count, Streams streams, ByteBuffer target) {
    codes = PackedTexts.atLeast(codes, count);
    int entryCount = dictionary.build(of, count, codes);
    if (entryCount <= 0) {
      return false;
    }
    @Nullable String[] entries = new String[entryCount];
    dictionary.takeEntries(of, entries);
    texts.begin(entries);
    try {
      target.putInt(entryCount);
      if (!block.write(entries, entryCount, streams, target)) {
        return false;
      }
      if (entryCount > 1) {
        writeCodes(entryCount, count, streams, target);
      }
      return true;
    } catch (BufferOverflowException | StreamTooLongException e) {
      return false;
    }
  }

  /** Compressed if that saves an eighth: packed codes of few texts, some of them frequent. */
  private void writeCodes(int entryCount, int count, Streams streams, ByteBuffer target) {
    int at = target.position();
    target.putInt(0);
    int start = target.position();
    streams.writeInts(codes, count, target);
    int length = target.position() - start;
    if (length < MIN_BYTES || entryCount > MAX_COMPRESSED_CODES) {
      return;
    }
    ByteBuffer stream = target.duplicate().flip().position(start);
    ByteBuffer compressed =
        zstd.compress(
            zstd.payload(length).put(stream).flip(), length - length / MIN_SAVED_FRACTION);
    if (compressed != null) {
      target.putInt(at, length).position(start).put(compressed);
    }
  }

  private void readCodes(ByteBuffer source, int count, Streams streams) throws ShipmentException {
    Malformed.unlessThere("the length of codes of texts", source, Integer.BYTES);
    int length = source.getInt();
    codes = PackedTexts.atLeast(codes, count);
    if (length == 0) {
      streams.readInts(source, count, codes);
      return;
    }
    TerminatedTexts.requireAllowed(length, source.remaining(), zstd);
    ByteBuffer stream = zstd.decompress(source, length);
    streams.readInts(stream, count, codes);
    Malformed.unlessExactly("the end of the compressed codes of texts", stream, 0);
  }

  @Override
  public void read(ByteBuffer source, int count, Streams streams, @Nullable String[] target)
      throws ShipmentException {
    int entryCount = source.remaining() < Integer.BYTES ? -1 : source.getInt();
    if (entryCount < 1 || entryCount > count) {
      throw Malformed.because(
          format(
              "a dictionary of %,d texts for %,d rows: expected 1 to that many",
              entryCount, count));
    }
    @Nullable String[] entries = new String[entryCount];
    block.readTexts(source, entryCount, entries);
    if (entryCount == 1) {
      Arrays.fill(target, 0, count, entries[0]);
    } else {
      readCodes(source, count, streams);
      DictionaryTexts.look(codes, count, entries, target);
    }
    Malformed.unlessExactly("the end of the codes of texts", source, 0);
  }
}
