package io.drayage.columnar.text;

import static io.drayage.internal.Texts.format;

import io.drayage.columnar.stream.Malformed;
import io.drayage.columnar.stream.Scheme;
import io.drayage.columnar.stream.StreamTooLongException;
import io.drayage.columnar.stream.Streams;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.Segment;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The distinct texts, each once, and the number of the text of each row:
 *
 * <pre>
 *   0                 4
 *   +-----------------+---------------------------------+---------------------------+
 *   | different texts | stream of these, which has no   | stream of a code per row  |
 *   | i32             | dictionary                      | i32; absent if there is 1 |
 *   +-----------------+---------------------------------+---------------------------+
 * </pre>
 *
 * Not thread-safe.
 */
final class DictionaryTexts extends TextEncoding {
  private final TextDictionary dictionary = new TextDictionary();
  private final TextSequence entries = new TextSequence();
  private final TextStreams within;
  private final Streams streams;
  private int[] codes = new int[0];

  /**
   * @param within writes and reads the distinct texts
   * @param streams writes and reads the codes
   */
  DictionaryTexts(TextStreams within, Streams streams) {
    super(17, "DICT");
    this.within = within;
    this.streams = streams;
  }

  @Override
  @Nullable List<Scheme> write(TextSequence texts, ByteBuffer target) {
    int entryCount = dictionary.build(texts);
    if (entryCount <= 0) {
      return null;
    }
    entries.take(texts, dictionary.firstRows(), entryCount);
    try {
      target.putInt(entryCount);
      Scheme entryTree = within.write(entries, target);
      return entryCount == 1
          ? List.of(entryTree)
          : List.of(entryTree, streams.writeInts(dictionary.codes(), texts.count(), target));
    } catch (BufferOverflowException | StreamTooLongException e) {
      return null;
    }
  }

  @Override
  TextSequence read(ByteBuffer source, int count, List<Scheme> trees) throws ShipmentException {
    Malformed.unlessThere("the size of a dictionary of texts", source, Integer.BYTES);
    int entryCount = source.getInt();
    Malformed.unlessWithin("a dictionary of texts", entryCount, 1, count);
    TextSequence read = within.read(source, entryCount, trees);
    codes = TextSequence.atLeast(codes, count);
    if (entryCount > 1) {
      trees.add(streams.readInts(source, count, codes));
    } else {
      Arrays.fill(codes, 0, count, 0);
    }
    Malformed.unlessExactly("the end of the codes of texts", source, 0);
    return look(read, count);
  }

  /** Returns the text of each code. */
  private TextSequence look(TextSequence from, int count) throws ShipmentException {
    int[] numbers = codes;
    int[] starts = new int[count + 1];
    int[] fromStarts = from.starts();
    int size = from.count();
    long end = 0;
    for (int i = 0; i < count; i++) {
      int code = numbers[i];
      if (code < 0 || code >= size) {
        throw Malformed.because(
            format("row %,d has code %,d of a dictionary of %,d texts", i, code, size));
      }
      end += fromStarts[code + 1] - fromStarts[code];
      starts[i + 1] = (int) end;
    }
    if (end > Segment.MAX_RAW_BYTES) {
      throw new ShipmentException(
          Fault.LIMIT,
          format(
              "a dictionary expands to %,d bytes of texts; the limit is %,d",
              end, Segment.MAX_RAW_BYTES));
    }
    byte[] to = new byte[(int) end + TextSequence.SLACK];
    byte[] bytes = from.bytes();
    for (int i = 0; i < count; i++) {
      TextSequence.copy(bytes, fromStarts[numbers[i]], to, starts[i], starts[i + 1] - starts[i]);
    }
    return new TextSequence(to, starts, count);
  }
}
