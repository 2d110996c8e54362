package io.drayage.columnar;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.PartContent;
import io.drayage.cargo.RowBits;
import io.drayage.codec.BulkValues;
import io.drayage.codec.Compressor;
import io.drayage.codec.SegmentRows;
import io.drayage.columnar.bit.BitStreams;
import io.drayage.columnar.kernel.Bits;
import io.drayage.columnar.stream.EncodingTree;
import io.drayage.columnar.stream.Facts;
import io.drayage.columnar.stream.StreamHeader;
import io.drayage.columnar.stream.Zstandard;
import io.drayage.columnar.text.TextStreams;
import io.drayage.columnar.text.TextTail;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentSerializer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes segments as streams. The bytes of a segment:
 *
 * <pre>
 *   bits                    stream of bits
 *   text                    stream of texts
 *   fixed width             stream of values
 *   fixed width, nullable   stream of validity bits | stream of values
 * </pre>
 *
 * Not thread-safe.
 */
public final class ColumnarSegmentSerializer implements SegmentSerializer {
  /** How much longer than its raw form a segment may be. */
  public static final int MAX_OVERHEAD_BYTES = 24;

  private final SegmentSerializer plain;
  private final TextTail tail;
  private final Zstandard zstd;
  private ColumnarOptions options;
  private StreamCodec streams;
  private TextStreams texts;
  private ColumnMemory memory;
  private final BulkValues bulk = new BulkValues();
  private long[] words = new long[0];

  /** What the first rows of a column are written to: direct, as what is sent, for the compiler. */
  private ByteBuffer learned = ByteBuffer.allocateDirect(0);

  private EncodingTree last = new EncodingTree("", 0, 0, List.of());

  /**
   * @param plain the {@code raw} serializer's, for texts that do not shrink
   * @param compressor Zstandard, for texts and numbers
   */
  public ColumnarSegmentSerializer(
      ColumnarOptions options, SegmentSerializer plain, Compressor compressor) {
    this.plain = plain;
    this.tail = new TextTail(new Zstandard(compressor.atLevel(options.textLevel())));
    this.zstd = new Zstandard(compressor);
    this.options = options;
    this.streams = new StreamCodec(options, zstd);
    this.texts = newTexts();
    this.memory = newMemory();
  }

  private TextStreams newTexts() {
    return new TextStreams(plain, streams.within(), tail, options.compresses());
  }

  private ColumnMemory newMemory() {
    RawGate gate = new RawGate(options, streams.encodings(), bulk);
    return new ColumnMemory(gate, this::learn, streams.encodings().get(0).name());
  }

  @Override
  public void close() {
    tail.close();
    zstd.close();
  }

  @Override
  public void expectCompression() {
    if (!options.hasTail()) {
      options = options.withTail();
      streams = new StreamCodec(options, zstd);
      texts = newTexts();
      memory = newMemory();
    }
  }

  /**
   * How the last segment was written or read: its encoding, with those of the streams within in
   * brackets, of which the validity bits are the first. {@code RLE(BITS, FOR)}.
   */
  public String lastEncoding() {
    return last.toString();
  }

  @Override
  public int maxSerializedBytes(Segment segment, PartContent content) {
    int bits = segment.rowCount();
    if (!(content instanceof ColumnValues values)) {
      return BitStreams.maxBytes(bits);
    }
    if (values.type() == ColumnType.STRING) {
      return texts.maxBytes(segment, values);
    }
    int validityBytes = values.validity() == null ? 0 : BitStreams.maxBytes(bits);
    return validityBytes + StreamHeader.BYTES + bits * values.type().widthBytes();
  }

  @Override
  public void serialize(Segment segment, PartContent content, ByteBuffer target) {
    int count = segment.rowCount();
    if (content instanceof RowBits bits) {
      last = writeBits(bits, segment, target);
      return;
    }
    ColumnValues values = (ColumnValues) content;
    if (values.type() == ColumnType.STRING) {
      last = texts.write(segment, values, target);
      return;
    }
    RowBits validity = values.validity();
    if (validity == null) {
      last = writeValues(values, segment, null, target);
      return;
    }
    int start = target.position();
    EncodingTree nulls = writeBits(validity, segment, target);
    boolean complete = Bits.count(words, Bits.words(count)) == count;
    EncodingTree tree = writeValues(values, segment, complete ? null : validity, target);
    last = new EncodingTree("NULLABLE", count, target.position() - start, List.of(nulls, tree));
  }

  private EncodingTree writeValues(
      ColumnValues values, Segment segment, @Nullable RowBits nulls, ByteBuffer target) {
    ColumnRows rows = rows(values, segment, nulls);
    ColumnMemory.Column column = memory.of(segment, values);
    return column.isRaw()
        ? streams.writeRaw(rows, target)
        : streams.write(rows, column.facts(), target);
  }

  private EncodingTree learn(ColumnValues values, int count, Facts facts) {
    ColumnRows first = new ColumnRows(values, 0, count, values.validity(), bulk);
    int maxBytes = StreamHeader.BYTES + count * values.type().widthBytes();
    if (learned.capacity() < maxBytes) {
      learned = ByteBuffer.allocateDirect(maxBytes).order(ByteOrder.LITTLE_ENDIAN);
    }
    return streams.write(first, facts, learned.clear().limit(maxBytes));
  }

  private ColumnRows rows(ColumnValues values, Segment segment, @Nullable RowBits nulls) {
    return new ColumnRows(values, segment.firstRow(), segment.rowCount(), nulls, bulk);
  }

  private EncodingTree writeBits(RowBits bits, Segment segment, ByteBuffer target) {
    int count = SegmentRows.wordCount(segment);
    ensureWords(count);
    long firstWord = segment.firstRow() >>> 6;
    for (int w = 0; w < count; w++) {
      words[w] = bits.word(firstWord + w);
    }
    words[count - 1] &= -1L >>> -segment.rowCount();
    return streams.bitStreams().write(words, segment.rowCount(), null, target);
  }

  private void readBits(Segment segment, RowBits bits) {
    long firstWord = segment.firstRow() >>> 6;
    for (int w = 0; w < SegmentRows.wordCount(segment); w++) {
      bits.setWord(firstWord + w, words[w]);
    }
  }

  private void ensureWords(int count) {
    if (words.length < count) {
      words = new long[count];
    }
  }

  @Override
  public void deserialize(Segment segment, ByteBuffer source, PartContent content)
      throws ShipmentException {
    try {
      last = read(segment, source, content);
    } catch (ShipmentException e) {
      throw e.getMessage().startsWith("segment ")
          ? e
          : new ShipmentException(e.fault(), "%s: %s".formatted(segment, e.getMessage()), e);
    }
    if (source.hasRemaining()) {
      throw new ShipmentException(
          Fault.DECODE, format("%s: %,d bytes follow its streams", segment, source.remaining()));
    }
  }

  private EncodingTree read(Segment segment, ByteBuffer source, PartContent content)
      throws ShipmentException {
    int count = segment.rowCount();
    if (content instanceof RowBits bits) {
      ensureWords(SegmentRows.wordCount(segment));
      EncodingTree tree = streams.bitStreams().read(source, count, words);
      readBits(segment, bits);
      return tree;
    }
    ColumnValues values = (ColumnValues) content;
    if (values.type() == ColumnType.STRING) {
      return texts.read(segment, source, values);
    }
    RowBits validity = values.validity();
    if (validity == null) {
      return streams.read(source, count, rows(values, segment, null));
    }
    int start = source.position();
    ensureWords(SegmentRows.wordCount(segment));
    EncodingTree nulls = streams.bitStreams().read(source, count, words);
    readBits(segment, validity);
    EncodingTree tree = streams.read(source, count, rows(values, segment, null));
    return new EncodingTree("NULLABLE", count, source.position() - start, List.of(nulls, tree));
  }
}
