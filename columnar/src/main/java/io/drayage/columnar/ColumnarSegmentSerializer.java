package io.drayage.columnar;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.IllegalTextException;
import io.drayage.cargo.PartContent;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TextPage;
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
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentSerializer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes segments as streams. The bytes of a segment:
 *
 * <pre>
 *   bits              stream of bits
 *   fixed width       stream of values
 *   text              stream of texts
 *   ... nullable      stream of validity bits | stream of values, or of the texts that are not null
 * </pre>
 *
 * Not thread-safe.
 */
public final class ColumnarSegmentSerializer implements SegmentSerializer {
  /** How much longer than its raw form a segment may be. */
  public static final int MAX_OVERHEAD_BYTES = 24;

  private final Zstandard textZstd;
  private final Zstandard zstd;
  private ColumnarOptions options;
  private StreamCodec streams;
  private TextStreams texts;
  private ColumnMemory memory;
  private final BulkValues bulk = new BulkValues();

  /** What the first rows of a column are written to: direct, as what is sent, for the compiler. */
  private ByteBuffer learned = ByteBuffer.allocateDirect(0);

  private EncodingTree last = new EncodingTree("", 0, 0, List.of());

  /**
   * @param compressor Zstandard, for texts and numbers
   */
  public ColumnarSegmentSerializer(ColumnarOptions options, Compressor compressor) {
    this.textZstd = new Zstandard(compressor.atLevel(options.textLevel()));
    this.zstd = new Zstandard(compressor);
    this.options = options;
    this.streams = new StreamCodec(options, zstd);
    this.texts = newTexts();
    this.memory = newMemory();
  }

  private TextStreams newTexts() {
    return new TextStreams(options.textAim(), streams.within(), textZstd);
  }

  private ColumnMemory newMemory() {
    RawGate gate = new RawGate(options, streams.encodings(), bulk);
    return new ColumnMemory(gate, this::learn, streams.encodings().get(0).name());
  }

  @Override
  public void close() {
    textZstd.close();
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
    long valueBytes =
        values.type() == ColumnType.STRING
            ? SegmentRows.maxTextBytes(values, segment, Integer.BYTES, 1)
            : (long) bits * values.type().widthBytes();
    int validityBytes = values.validity() == null ? 0 : BitStreams.maxBytes(bits);
    return Math.toIntExact(validityBytes + StreamHeader.BYTES + valueBytes);
  }

  @Override
  public void serialize(Segment segment, PartContent content, ByteBuffer target) {
    int count = segment.rowCount();
    if (content instanceof RowBits bits) {
      last = writeBits(SegmentRows.words(bits, segment), count, target);
      return;
    }
    ColumnValues values = (ColumnValues) content;
    RowBits validity = values.validity();
    if (validity == null) {
      last = writeValues(values, segment, null, target);
      return;
    }
    int start = target.position();
    long[] words = SegmentRows.words(validity, segment);
    EncodingTree nulls = writeBits(words, count, target);
    boolean complete = Bits.count(words, words.length) == count;
    EncodingTree tree = writeValues(values, segment, complete ? null : words, target);
    last = new EncodingTree("NULLABLE", count, target.position() - start, List.of(nulls, tree));
  }

  private EncodingTree writeValues(
      ColumnValues values, Segment segment, long @Nullable [] valid, ByteBuffer target) {
    if (values.type() == ColumnType.STRING) {
      return texts.write(SegmentRows.texts(values, segment), valid, target);
    }
    ColumnRows rows = rows(values, segment, valid == null ? null : values.validity());
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

  private EncodingTree writeBits(long[] words, int bits, ByteBuffer target) {
    return streams.bitStreams().write(words, bits, null, target);
  }

  @Override
  public void deserialize(Segment segment, ByteBuffer source, PartContent content)
      throws ShipmentException {
    try {
      last = read(segment, source, content);
    } catch (IllegalTextException e) {
      throw SegmentRows.malformed(segment, e);
    } catch (ShipmentException e) {
      throw e.getMessage().startsWith("segment ")
          ? e
          : new ShipmentException(e.fault(), "%s: %s".formatted(segment, e.getMessage()), e);
    }
    requireEnd(segment, source);
  }

  private static void requireEnd(Segment segment, ByteBuffer source) throws ShipmentException {
    if (source.hasRemaining()) {
      throw new ShipmentException(
          Fault.DECODE, format("%s: %,d bytes follow its streams", segment, source.remaining()));
    }
  }

  private EncodingTree read(Segment segment, ByteBuffer source, PartContent content)
      throws ShipmentException {
    int count = segment.rowCount();
    int start = source.position();
    RowBits bits = content instanceof ColumnValues values ? values.validity() : (RowBits) content;
    List<EncodingTree> trees = new ArrayList<>();
    long[] words = null;
    if (bits != null) {
      words = new long[SegmentRows.wordCount(segment)];
      trees.add(streams.bitStreams().read(source, count, words));
      SegmentRows.putWords(words, bits, segment);
    }
    if (content instanceof ColumnValues values) {
      if (values.type() == ColumnType.STRING) {
        TextPage page = texts.read(source, count, words, trees);
        requireEnd(segment, source);
        SegmentRows.putDense(page, values, segment);
      } else {
        trees.add(streams.read(source, count, rows(values, segment, null)));
      }
    }
    return trees.size() == 1
        ? trees.get(0)
        : new EncodingTree("NULLABLE", count, source.position() - start, trees);
  }
}
