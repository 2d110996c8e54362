package io.drayage.bench.columns;

import io.drayage.cargo.PartContent;
import io.drayage.codec.Compressor;
import io.drayage.codec.Compressors;
import io.drayage.codec.SegmentDecoder;
import io.drayage.codec.SegmentEncoder;
import io.drayage.codec.Serializer;
import io.drayage.codec.raw.RawSerializer;
import io.drayage.columnar.ColumnarMode;
import io.drayage.columnar.ColumnarOptions;
import io.drayage.columnar.ColumnarSegmentSerializer;
import io.drayage.columnar.ColumnarSerializer;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.ShipmentException;
import io.drayage.memory.BufferPool;
import io.drayage.memory.ByteBudget;
import io.drayage.memory.Lease;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentPlanner;
import io.drayage.segment.SegmentSerializer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A codec that is compared, at work as in the pipeline: each segment to a frame with its checksum,
 * and back. Buffers are used again, as they are where shipments follow one another. Not
 * thread-safe.
 */
final class Candidate implements AutoCloseable {
  static final String BALANCED = "columnar-balanced";
  static final String ZSTD_3 = "zstd:3";

  /** In the order of their turns. */
  static final List<String> NAMES =
      List.of("columnar-fast", BALANCED, "columnar-dense", "lz4", "zstd:1", ZSTD_3, "zstd:9");

  private static final String COLUMNAR = "columnar-";

  /** Less is encoded more than once in a turn. */
  private static final long MIN_TURN_BYTES = 4L << 20;

  private static final int MAX_PASSES = 100;
  private static final double NANOS_PER_S = 1e9;

  /** As the sender's: a quarter above a segment, for validity bits and headers. */
  private static final int BUFFER_BYTES = SegmentPlanner.DEFAULT_SEGMENT_BYTES * 5 / 4;

  /** Never waited for: there is but one thread. */
  private static final long BUDGET_BYTES = 1L << 40;

  private final String name;
  private final BufferPool buffers;
  private final SegmentSerializer writing;
  private final SegmentEncoder encoder;
  private final SegmentDecoder decoder;
  private final List<Lease> frames = new ArrayList<>();
  private final List<Double> encodeS = new ArrayList<>();
  private final List<Double> decodeS = new ArrayList<>();

  /** Of the last pass. */
  private long encodeNs;

  private long decodeNs;
  private long bytes;

  private Candidate(String name, Serializer serializer, Compressor compressor, BufferPool buffers) {
    this.name = name;
    this.buffers = buffers;
    this.writing = serializer.newSegmentSerializer();
    this.encoder = new SegmentEncoder(writing, serializer.id(), compressor);
    this.decoder =
        new SegmentDecoder(serializer.newSegmentSerializer(), serializer.id(), compressor);
  }

  /** All that are compared: columnar in its modes, and raw values through a compressor. */
  static List<Candidate> all() {
    BufferPool buffers = new BufferPool(BUFFER_BYTES, new ByteBudget(BUDGET_BYTES));
    return NAMES.stream().map(name -> of(name, buffers)).toList();
  }

  private static Candidate of(String name, BufferPool buffers) {
    if (name.startsWith(COLUMNAR)) {
      String mode = name.substring(COLUMNAR.length()).toUpperCase(Locale.ROOT);
      ColumnarOptions options = ColumnarOptions.of(ColumnarMode.valueOf(mode));
      Compressor none = Compressors.ofId(Compressor.STORED_ID);
      return new Candidate(name, new ColumnarSerializer(options), none, buffers);
    }
    int colon = name.indexOf(':');
    Compressor compressor =
        colon < 0
            ? Compressors.ofName(name)
            : Compressors.ofName(name.substring(0, colon))
                .atLevel(Integer.parseInt(name.substring(colon + 1)));
    return new Candidate(name, new RawSerializer(), compressor, buffers);
  }

  String name() {
    return name;
  }

  /**
   * Encodes and decodes all segments of {@code sample} once. The frames of all segments are in
   * memory between the two.
   */
  void pass(ColumnSample sample, PartContent target)
      throws InterruptedException, ShipmentException {
    List<Segment> segments = sample.unknownSegments();
    List<PartContent> contents = sample.contentsWith(sample.unknownContent());
    try {
      long started = System.nanoTime();
      for (Segment segment : segments) {
        frames.add(encoder.encode(List.of(segment), contents, buffers, 0));
      }
      encodeNs = System.nanoTime() - started;
      ColumnSample.Sink sink = new ColumnSample.Sink(sample.part(), segments, target);
      bytes = 0;
      started = System.nanoTime();
      for (Lease frame : frames) {
        bytes += frame.remainingBytes();
        decoder.decode(FrameHeader.verify(frame.buffer()), sink);
      }
      decodeNs = System.nanoTime() - started;
    } finally {
      frames.forEach(Lease::close);
      frames.clear();
    }
  }

  /** Measures one turn: passes until it is long enough. */
  void turn(ColumnSample sample, PartContent target)
      throws InterruptedException, ShipmentException {
    long passes = Math.max(1, Math.min(MAX_PASSES, MIN_TURN_BYTES / sample.rawBytes()));
    long allEncodeNs = 0;
    long allDecodeNs = 0;
    for (int pass = 0; pass < passes; pass++) {
      pass(sample, target);
      allEncodeNs += encodeNs;
      allDecodeNs += decodeNs;
    }
    encodeS.add(allEncodeNs / NANOS_PER_S / passes);
    decodeS.add(allDecodeNs / NANOS_PER_S / passes);
  }

  /** What the turns measured since this was last called. */
  ColumnRow row(String column, ColumnSample sample) throws InterruptedException {
    ColumnRow row = ColumnRow.of(column, sample, name, bytes, encodeS, decodeS, encodings(sample));
    encodeS.clear();
    decodeS.clear();
    return row;
  }

  /**
   * Which encodings the segments of {@code sample} get, with the number of segments of each; none
   * if this codec has no choice.
   */
  private Map<String, Integer> encodings(ColumnSample sample) throws InterruptedException {
    Map<String, Integer> encodings = new TreeMap<>();
    if (writing instanceof ColumnarSegmentSerializer columnar) {
      List<PartContent> contents = sample.contentsWith(sample.content());
      for (Segment segment : sample.segments()) {
        encoder.encode(List.of(segment), contents, buffers, 0).close();
        encodings.merge(columnar.lastEncoding(), 1, Integer::sum);
      }
    }
    return encodings;
  }

  @Override
  public void close() {
    encoder.close();
    decoder.close();
  }
}
