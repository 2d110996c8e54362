package io.drayage.columnar;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.PartContent;
import io.drayage.cargo.RowBits;
import io.drayage.codec.BulkValues;
import io.drayage.codec.Compressor;
import io.drayage.codec.SegmentRows;
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
 * For one thread.
 */
public final class ColumnarSegmentSerializer implements SegmentSerializer {
  /** How much longer than its raw form a segment may be. */
  public static final int MAX_OVERHEAD_BYTES = 24;

  private final SegmentSerializer plain;
  private final TextTail tail;
  private final Words packing = new Words();
  private final StreamReader reader = new StreamReader(0, packing);
  private final StreamReader innerReader = new StreamReader(1, packing);
  private final BitsReader bitsReader = new BitsReader(innerReader);
  private ColumnarOptions options;
  private StreamWriter writer;
  private BitsWriter bitsWriter;
  private TextStreams texts;
  private ColumnMemory memory;
  private final BulkValues bulk = new BulkValues();
  private long[] words = new long[0];

  /** What the first rows of a column are written to: direct, as what is sent, for the compiler. */
  private ByteBuffer learned = ByteBuffer.allocateDirect(0);

  private EncodingTree last = new EncodingTree("", 0, 0, List.of());

  /**
   * @param plain the {@code raw} serializer's, for texts that do not shrink
   * @param textCompressor Zstandard, for texts
   */
  public ColumnarSegmentSerializer(
      ColumnarOptions options, SegmentSerializer plain, Compressor textCompressor) {
    this.plain = plain;
    this.tail = new TextTail(textCompressor);
    this.options = options;
    StreamWriter inner = new StreamWriter(1, options, packing);
    this.writer = new StreamWriter(0, options, packing);
    this.bitsWriter = new BitsWriter(options.nsPerByte(), inner);
    this.texts = newTexts(inner);
    this.memory = new ColumnMemory(new RawGate(options, bulk), this::learn);
  }

  private TextStreams newTexts(StreamWriter inner) {
    PairedStreams streams = new PairedStreams(inner, innerReader);
    return new TextStreams(plain, streams, tail, options.compressesTexts());
  }

  @Override
  public void close() {
    tail.close();
  }

  @Override
  public void expectCompression() {
    if (!options.hasTail()) {
      options = options.withTail();
      StreamWriter inner = new StreamWriter(1, options, packing);
      writer = new StreamWriter(0, options, packing);
      bitsWriter = new BitsWriter(options.nsPerByte(), inner);
      texts = newTexts(inner);
      memory = new ColumnMemory(new RawGate(options, bulk), this::learn);
    }
  }

  /** How the last segment was written or read. Its validity bits are its first child. */
  public EncodingTree lastEncoding() {
    return last;
  }

  @Override
  public int maxSerializedBytes(Segment segment, PartContent content) {
    int bits = segment.rowCount();
    if (!(content instanceof ColumnValues values)) {
      return BitsWriter.maxBytes(bits);
    }
    if (values.type() == ColumnType.STRING) {
      return texts.maxBytes(segment, values);
    }
    int validityBytes = values.validity() == null ? 0 : BitsWriter.maxBytes(bits);
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
    RowBits gaps = nulls.name().equals(Encoding.FULL.name()) ? null : validity;
    EncodingTree tree = writeValues(values, segment, gaps, target);
    last = new EncodingTree("NULLABLE", count, target.position() - start, List.of(nulls, tree));
  }

  private EncodingTree writeValues(
      ColumnValues values, Segment segment, @Nullable RowBits nulls, ByteBuffer target) {
    ColumnRows rows = rows(values, segment, nulls);
    ColumnMemory.Column column = memory.of(segment, values);
    return column.isRaw()
        ? StreamWriter.writeRaw(rows, target)
        : writer.write(rows, column.facts(), target, Integer.MAX_VALUE);
  }

  private EncodingTree learn(ColumnValues values, int count, Facts facts) {
    ColumnRows first = new ColumnRows(values, 0, count, values.validity(), bulk);
    int maxBytes = StreamHeader.BYTES + count * values.type().widthBytes();
    if (learned.capacity() < maxBytes) {
      learned = ByteBuffer.allocateDirect(maxBytes).order(ByteOrder.LITTLE_ENDIAN);
    }
    return writer.write(first, facts, learned.clear().limit(maxBytes), Integer.MAX_VALUE);
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
    return bitsWriter.write(words, segment.rowCount(), null, target);
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
          Fault.DECODE, "%s: %,d bytes follow its streams".formatted(segment, source.remaining()));
    }
  }

  private EncodingTree read(Segment segment, ByteBuffer source, PartContent content)
      throws ShipmentException {
    int count = segment.rowCount();
    if (content instanceof RowBits bits) {
      ensureWords(SegmentRows.wordCount(segment));
      EncodingTree tree = bitsReader.read(source, count, words);
      readBits(segment, bits);
      return tree;
    }
    ColumnValues values = (ColumnValues) content;
    if (values.type() == ColumnType.STRING) {
      return texts.read(segment, source, values);
    }
    RowBits validity = values.validity();
    if (validity == null) {
      return reader.read(source, count, rows(values, segment, null));
    }
    int start = source.position();
    ensureWords(SegmentRows.wordCount(segment));
    EncodingTree nulls = bitsReader.read(source, count, words);
    if (!nulls.name().equals(Encoding.FULL.name())) {
      readBits(segment, validity);
    }
    EncodingTree tree = reader.read(source, count, rows(values, segment, null));
    return new EncodingTree("NULLABLE", count, source.position() - start, List.of(nulls, tree));
  }
}
