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
import io.drayage.columnar.kernel.Bits;
import io.drayage.columnar.stream.BitStreams;
import io.drayage.columnar.stream.BlockCompressor;
import io.drayage.columnar.stream.Scheme;
import io.drayage.columnar.stream.StreamHeader;
import io.drayage.columnar.text.TextStreams;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.Part;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentSerializer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
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
  /** Maximum number of bytes by which a segment may be longer than its raw form. */
  public static final int MAX_OVERHEAD_BYTES = 24;

  private static final String NULLABLE = "NULLABLE";

  /**
   * Minimum pages of a part whose segments are written like its first rows. In a smaller part, the
   * first rows are too large a share to be written twice: each segment has its own choice.
   */
  private static final int MIN_LEARNED_PAGES = 8;

  private final BlockCompressor textZstd;
  private final BlockCompressor zstd;
  private final ColumnMemory memory;
  private final BulkValues bulk = new BulkValues();
  private ColumnarOptions options;
  private StreamCodec streams;
  private TextStreams texts;
  private RawGate gate;

  /** The buffer for the first rows of a part. It is direct, so that the same code is compiled. */
  private ByteBuffer firstRows = ByteBuffer.allocateDirect(0);

  private Scheme last = new Scheme(0, "", 0, 0, List.of());
  private BiConsumer<Segment, Scheme> observer = (segment, scheme) -> {};

  /**
   * @param compressor Zstandard, for texts and numbers
   * @param memory shared with the serializers of other threads
   */
  ColumnarSegmentSerializer(ColumnarOptions options, Compressor compressor, ColumnMemory memory) {
    this.textZstd = new BlockCompressor(compressor.atLevel(options.textLevel()));
    this.zstd = new BlockCompressor(compressor);
    this.memory = memory;
    this.options = options;
    this.streams = new StreamCodec(options, zstd);
    this.texts = newTexts();
    this.gate = new RawGate(options, streams.candidates(), bulk);
  }

  private TextStreams newTexts() {
    return new TextStreams(options.textAim(), streams.within(), textZstd);
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
      gate = new RawGate(options, streams.candidates(), bulk);
    }
  }

  /**
   * The scheme of the last segment: its encoding, with the encodings of the inner streams in
   * brackets, validity bits first. {@code RLE(BITS, FOR)}.
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

  /** Sets the observer, which is notified of each written segment and its scheme. */
  void observe(BiConsumer<Segment, Scheme> newObserver) {
    observer = newObserver;
  }

  @Override
  public void serialize(Segment segment, PartContent content, ByteBuffer target) {
    last = write(segment, content, target);
    observer.accept(segment, last);
  }

  private Scheme write(Segment segment, PartContent content, ByteBuffer target) {
    int count = segment.rowCount();
    if (content instanceof RowBits bits) {
      return writeBits(SegmentRows.words(bits, segment), count, target);
    }
    ColumnValues values = (ColumnValues) content;
    RowBits validity = values.validity();
    if (validity == null) {
      return writeValues(values, segment, null, target);
    }
    int start = target.position();
    long[] words = SegmentRows.words(validity, segment);
    Scheme nulls = writeBits(words, count, target);
    boolean complete = Bits.count(words, words.length) == count;
    Scheme tree = writeValues(values, segment, complete ? null : words, target);
    return new Scheme(0, NULLABLE, count, target.position() - start, List.of(nulls, tree));
  }

  /** Whether all segments of a part would be written raw, at a rate at which texts are. */
  boolean isBestRaw(PartContent content) {
    return !(content instanceof ColumnValues values)
        || values.type() == ColumnType.STRING
        || (!values.isOnDemand() && gate.isCertain(values, 0, values.rowCount()));
  }

  private Scheme writeValues(
      ColumnValues values, Segment segment, long @Nullable [] valid, ByteBuffer target) {
    if (values.type() == ColumnType.STRING) {
      return texts.write(SegmentRows.texts(values, segment), valid, target);
    }
    ColumnRows rows = rows(values, segment, valid == null ? null : values.validity());
    Part part = segment.part();
    ColumnMemory.Column column =
        values.isOnDemand() || values.rowCount() < part.rowCount()
            ? ofRows(values, segment.firstRow(), segment.rowCount())
            : memory.of(part, options.hasTail(), () -> learn(segment, values));
    return column.isRaw()
        ? streams.writeRaw(rows, target)
        : streams.write(rows, column.like(), target);
  }

  /** Decides by the gate alone, for rows that have their own choice. */
  private ColumnMemory.Column ofRows(ColumnValues values, long firstRow, long rowCount) {
    return gate.isCertain(values, firstRow, rowCount)
        ? ColumnMemory.Column.RAW
        : ColumnMemory.Column.UNKNOWN;
  }

  /** Learns from a part's first rows how to write its segments, if there are many more rows. */
  private ColumnMemory.Column learn(Segment segment, ColumnValues values) {
    long rowCount = segment.part().rowCount();
    int count = ColumnValues.DEFAULT_ROWS_PER_PAGE;
    if (rowCount < (long) MIN_LEARNED_PAGES * count || rowCount == segment.rowCount()) {
      return ofRows(values, 0, rowCount);
    }
    RawGate.Chance raw = gate.ask(values, 0, rowCount);
    if (raw == RawGate.Chance.CERTAINLY) {
      return ColumnMemory.Column.RAW;
    }
    ColumnRows first = new ColumnRows(values, 0, count, values.validity(), bulk);
    int maxBytes = StreamHeader.BYTES + count * values.type().widthBytes();
    if (firstRows.capacity() < maxBytes) {
      firstRows = ByteBuffer.allocateDirect(maxBytes).order(ByteOrder.LITTLE_ENDIAN);
    }
    Scheme written = streams.writeFirst(first, firstRows.clear().limit(maxBytes));
    boolean isRaw = written.name().equals(streams.encodings().get(0).name());
    return isRaw && raw == RawGate.Chance.PERHAPS
        ? ColumnMemory.Column.RAW
        : new ColumnMemory.Column(false, written);
  }

  private ColumnRows rows(ColumnValues values, Segment segment, @Nullable RowBits nulls) {
    return new ColumnRows(values, segment.firstRow(), segment.rowCount(), nulls, bulk);
  }

  private Scheme writeBits(long[] words, int bits, ByteBuffer target) {
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

  private Scheme read(Segment segment, ByteBuffer source, PartContent content)
      throws ShipmentException {
    int count = segment.rowCount();
    int start = source.position();
    RowBits bits = content instanceof ColumnValues values ? values.validity() : (RowBits) content;
    List<Scheme> trees = new ArrayList<>();
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
        : new Scheme(0, NULLABLE, count, source.position() - start, trees);
  }
}
