package io.drayage.columnar.text;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ColumnValues;
import io.drayage.codec.SegmentRows;
import io.drayage.columnar.stream.EncodingTree;
import io.drayage.columnar.stream.Malformed;
import io.drayage.columnar.stream.StreamHeader;
import io.drayage.columnar.stream.Streams;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentSerializer;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes and reads the texts of a segment: in the first encoding that suits them, else as they are.
 * Not thread-safe.
 */
public final class TextStreams {
  /** Texts as the {@code raw} serializer writes them. */
  static final int PLAIN_ID = 16;

  /** Of what Zstandard makes of texts, what a {@link TextPattern} may take: it is no faster. */
  private static final double MAX_PATTERN_SHARE = 0.95;

  /** Enough of them to tell in which form wide texts are shorter. */
  private static final int FIRST_ROWS = 256;

  private final SegmentSerializer plain;
  private final Streams streams;
  private final TextTail tail;
  private final boolean compresses;
  private final TextBytes bytes = new TextBytes();
  private final TerminatedTexts terminated;
  private final TerminatedDictionary dictionary;
  private final PatternTexts pattern = new PatternTexts(bytes);

  /**
   * By what each row's length is told; written where nothing is compressed, or as a last resort.
   */
  private final List<TextEncoding> withLengths;

  private final List<TextEncoding> encodings;
  private @Nullable String[] texts = new String[0];

  /**
   * @param plain the {@code raw} serializer's
   * @param compresses whether texts are to be compressed
   */
  public TextStreams(SegmentSerializer plain, Streams streams, TextTail tail, boolean compresses) {
    this.plain = plain;
    this.streams = streams;
    this.tail = tail;
    this.compresses = compresses;
    this.terminated = new TerminatedTexts(bytes, tail.zstd());
    this.dictionary = new TerminatedDictionary(bytes, terminated, tail.zstd());
    this.withLengths = List.of(new DictionaryTexts(), new PackedTexts());
    this.encodings =
        List.of(dictionary, terminated, pattern, withLengths.get(0), withLengths.get(1));
  }

  public int maxBytes(Segment segment, ColumnValues values) {
    return StreamHeader.BYTES + plain.maxSerializedBytes(segment, values);
  }

  public EncodingTree write(Segment segment, ColumnValues values, ByteBuffer target) {
    int count = segment.rowCount();
    int start = target.position();
    int limit = target.limit();
    ensureLength(count);
    SegmentRows.copy(values, segment, texts);
    bytes.begin(texts);
    try {
      EncodingTree tree = compresses ? writeBytes(count, target) : null;
      if (tree != null) {
        return tree;
      }
      // What follows in the buffer belongs to other segments.
      int maxBytes = maxBytes(segment, values);
      target.position(start).limit(Math.min(limit, start + maxBytes));
      tree = writeWithLengths(count, maxBytes, target);
      if (tree != null) {
        return tree;
      }
      target.position(start);
    } finally {
      target.limit(limit);
      bytes.end();
      Arrays.fill(texts, 0, count, null);
    }
    StreamHeader.begin(target);
    plain.serialize(segment, values, target);
    StreamHeader.end(target, start, PLAIN_ID);
    return new EncodingTree("PLAIN", count, target.position() - start, List.of());
  }

  /** Writes texts by their bytes; null if that cannot be, or would be longer than they are. */
  private @Nullable EncodingTree writeBytes(int count, ByteBuffer target) {
    if (!bytes.fill(Math.min(count, FIRST_ROWS)) || bytes.isLongerThanUtf16()) {
      return null;
    }
    int start = StreamHeader.begin(target);
    int at = target.position();
    TextEncoding written = dictionary;
    if (dictionary.write(texts, count, streams, target)
        && !isLongerThanPlain(count, target.position() - at)) {
      if (bytes.isLongerThanUtf16()) { // Now the bytes of the different texts.
        return null;
      }
    } else {
      target.position(at);
      bytes.begin(texts);
      if (!bytes.fill(count)) {
        return null;
      }
      target.limit(Math.min(target.limit(), at + bytes.plainBytes()));
      TextPattern some = pattern.pattern(count);
      written = some == null ? terminated : pattern;
      boolean done =
          some == null
              ? terminated.write(texts, count, streams, target)
              : isWorthwhile(some, count) && pattern.write(some, count, target);
      if (!done) {
        // Texts of one length need no ends.
        return null;
      }
    }
    StreamHeader.end(target, start, written.id());
    return tree(written, false, count, target.position() - start);
  }

  /** Whether so many bytes may be more than plain texts take: a length and a byte a character. */
  private boolean isLongerThanPlain(int count, int length) {
    long plainBytes = (long) Integer.BYTES * count;
    for (int i = 0; i < count && length > plainBytes; i++) {
      String text = texts[i];
      plainBytes += text == null ? 0 : text.length();
    }
    return length > plainBytes;
  }

  private boolean isWorthwhile(TextPattern some, int count) {
    double withoutEnds = terminated.estimate(count) * some.length() / (some.length() + 1);
    return (double) count * some.width() < MAX_PATTERN_SHARE * withoutEnds;
  }

  private @Nullable EncodingTree writeWithLengths(int count, int maxBytes, ByteBuffer target) {
    int start = target.position();
    for (TextEncoding encoding : withLengths) {
      StreamHeader.begin(target);
      ByteBuffer payload = compresses ? tail.payload(maxBytes - StreamHeader.BYTES) : target;
      if (encoding.write(texts, count, streams, payload)) {
        boolean tailed = compresses && tail.write(encoding.id(), payload.flip(), target);
        StreamHeader.end(target, start, tailed ? TextTail.ID : encoding.id());
        return tree(encoding, tailed, count, target.position() - start);
      }
      target.position(start);
    }
    return null;
  }

  private static EncodingTree tree(TextEncoding encoding, boolean tailed, int count, int bytes) {
    EncodingTree tree =
        new EncodingTree(encoding.getClass().getSimpleName(), count, bytes, List.of());
    return tailed ? new EncodingTree("ZSTD", count, bytes, List.of(tree)) : tree;
  }

  public EncodingTree read(Segment segment, ByteBuffer source, ColumnValues values)
      throws ShipmentException {
    int start = source.position();
    int header = StreamHeader.read(source);
    int payloadBytes = StreamHeader.payloadBytes(source);
    Malformed.unlessExactly("a stream of texts", source, payloadBytes);
    int count = segment.rowCount();
    if (header == PLAIN_ID) {
      plain.deserialize(segment, source, values);
      return new EncodingTree("PLAIN", count, source.position() - start, List.of());
    }
    boolean tailed = header == TextTail.ID;
    TextEncoding encoding =
        tailed ? encodingOf(tail.encodingId(source), withLengths) : encodingOf(header, encodings);
    ByteBuffer payload = tailed ? tail.decompress(source) : source;
    ensureLength(count);
    try {
      encoding.read(payload, count, streams, texts);
      SegmentRows.putDense(texts, values, segment);
    } finally {
      Arrays.fill(texts, 0, count, null);
    }
    return tree(encoding, tailed, count, source.position() - start);
  }

  private static TextEncoding encodingOf(int id, List<TextEncoding> allowed)
      throws ShipmentException {
    for (TextEncoding encoding : allowed) {
      if (encoding.id() == id) {
        return encoding;
      }
    }
    throw Malformed.because(format("number %d is no encoding of texts", id));
  }

  private void ensureLength(int count) {
    if (texts.length < count) {
      texts = new String[count];
    }
  }
}
