package io.drayage.columnar.text;

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

  private final SegmentSerializer plain;
  private final Streams streams;
  private final TextTail tail;
  private final boolean compresses;
  private final List<TextEncoding> encodings = List.of(new DictionaryTexts(), new PackedTexts());
  private @Nullable String[] texts = new String[0];

  /**
   * @param plain the {@code raw} serializer's
   * @param compresses whether texts are to be written with a {@link TextTail} if that is shorter
   */
  public TextStreams(SegmentSerializer plain, Streams streams, TextTail tail, boolean compresses) {
    this.plain = plain;
    this.streams = streams;
    this.tail = tail;
    this.compresses = compresses;
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
    // What follows in the buffer belongs to other segments.
    target.limit(Math.min(limit, start + maxBytes(segment, values)));
    try {
      for (TextEncoding encoding : encodings) {
        StreamHeader.begin(target);
        ByteBuffer payload =
            compresses ? tail.payload(plain.maxSerializedBytes(segment, values)) : target;
        if (encoding.write(texts, count, streams, payload)) {
          boolean tailed = compresses && tail.write(encoding.id(), payload.flip(), target);
          StreamHeader.end(target, start, tailed ? TextTail.ID : encoding.id());
          return tree(encoding, tailed, count, target.position() - start);
        }
        target.position(start);
      }
    } finally {
      target.limit(limit);
      Arrays.fill(texts, 0, count, null);
    }
    StreamHeader.begin(target);
    plain.serialize(segment, values, target);
    StreamHeader.end(target, start, PLAIN_ID);
    return new EncodingTree("PLAIN", count, target.position() - start, List.of());
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
    TextEncoding encoding = encodingOf(tailed ? tail.encodingId(source) : header);
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

  private TextEncoding encodingOf(int id) throws ShipmentException {
    for (TextEncoding encoding : encodings) {
      if (encoding.id() == id) {
        return encoding;
      }
    }
    throw Malformed.because("number %d is no encoding of texts".formatted(id));
  }

  private void ensureLength(int count) {
    if (texts.length < count) {
      texts = new String[count];
    }
  }
}
