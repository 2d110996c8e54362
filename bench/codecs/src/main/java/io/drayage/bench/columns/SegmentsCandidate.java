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
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A codec as in the pipeline: it encodes each segment to a frame with its checksum, and decodes it.
 * Buffers are reused, as in a sequence of shipments.
 *
 * <p>Columnar has its own form of texts. Before a compressor, texts are in the {@link TextForm}
 * that makes the column smaller.
 */
final class SegmentsCandidate implements Candidate {
  private static final String COLUMNAR = "columnar-";

  /** The size of the sender's buffers: a quarter above a segment, for validity bits and headers. */
  private static final int BUFFER_BYTES = SegmentPlanner.DEFAULT_SEGMENT_BYTES * 5 / 4;

  /** A budget without waiting, because there is only one thread. */
  private static final long BUDGET_BYTES = 1L << 40;

  private final String name;
  private final BufferPool buffers;
  private final List<Coder> coders;
  private final List<Lease> frames = new ArrayList<>();
  private Coder coder;
  private @Nullable ColumnSample sample;

  /** Values in one form, with a compressor. */
  private static final class Coder {
    final Serializer form;
    final SegmentSerializer writing;
    final SegmentEncoder encoder;
    final SegmentDecoder decoder;

    Coder(Serializer form, Compressor compressor) {
      this.form = form;
      this.writing = form.newSegmentSerializer();
      this.encoder = new SegmentEncoder(writing, form.id(), compressor);
      this.decoder = new SegmentDecoder(form.newSegmentSerializer(), form.id(), compressor);
    }
  }

  private SegmentsCandidate(
      String name, List<Serializer> forms, Compressor compressor, BufferPool buffers) {
    this.name = name;
    this.buffers = buffers;
    this.coders = forms.stream().map(form -> new Coder(form, compressor)).toList();
    this.coder = coders.get(0);
  }

  /** Returns all codecs: columnar in its modes, and raw values through a compressor. */
  static List<Candidate> all() {
    BufferPool buffers = new BufferPool(BUFFER_BYTES, new ByteBudget(BUDGET_BYTES));
    return Codecs.SEGMENTS.stream().<Candidate>map(name -> of(name, buffers)).toList();
  }

  private static SegmentsCandidate of(String name, BufferPool buffers) {
    if (name.startsWith(COLUMNAR)) {
      String mode = name.substring(COLUMNAR.length()).toUpperCase(Locale.ROOT);
      ColumnarOptions options = ColumnarOptions.of(ColumnarMode.valueOf(mode));
      Compressor none = Compressors.ofId(Compressor.STORED_ID);
      return new SegmentsCandidate(name, List.of(new ColumnarSerializer(options)), none, buffers);
    }
    int colon = name.indexOf(':');
    Compressor compressor =
        colon < 0
            ? Compressors.ofName(name)
            : Compressors.ofName(name.substring(0, colon))
                .atLevel(Integer.parseInt(name.substring(colon + 1)));
    List<Serializer> forms = List.of(new RawSerializer(), TextForm.LINES, TextForm.LENGTHS);
    return new SegmentsCandidate(name, forms, compressor, buffers);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public @Nullable String take(ColumnSample taken) throws InterruptedException {
    sample = taken;
    coder = coders.get(0);
    if (ColumnSample.isText(taken.part())) {
      long least = Long.MAX_VALUE;
      // A single coder is not compared, and need not encode.
      for (Coder form : coders.subList(Math.min(1, coders.size() - 1), coders.size())) {
        long bytes = coders.size() == 1 ? 0 : encodedBytes(form, taken);
        if (bytes < least) {
          least = bytes;
          coder = form;
        }
      }
    }
    return null;
  }

  private long encodedBytes(Coder form, ColumnSample of) throws InterruptedException {
    long bytes = 0;
    for (Segment segment : of.segments()) {
      try (Lease frame =
          form.encoder.encode(List.of(segment), contents(of.content()), buffers, 0)) {
        bytes += frame.remainingBytes();
      }
    }
    return bytes;
  }

  /** Returns a cargo's contents: the column alone. */
  private static List<PartContent> contents(PartContent content) {
    return Collections.singletonList(content);
  }

  private ColumnSample sample() {
    if (sample == null) {
      throw new IllegalStateException(name + " has no column");
    }
    return sample;
  }

  @Override
  public Pass pass(int times) throws InterruptedException, ShipmentException {
    Pass sum = new Pass(0, 0, 0);
    for (int i = 0; i < times; i++) {
      Pass one = pass(sample(), sample().targetOfPass());
      sum = new Pass(one.bytes(), sum.encodeNs() + one.encodeNs(), sum.decodeNs() + one.decodeNs());
    }
    return sum;
  }

  @Override
  public void verify() throws InterruptedException, ShipmentException {
    PartContent target = sample().emptyTarget();
    pass(sample(), target);
    sample().verify(target, name);
  }

  /** Encodes and decodes. The frames of all segments are in memory in between. */
  private Pass pass(ColumnSample of, PartContent target)
      throws InterruptedException, ShipmentException {
    List<Segment> segments = of.unknownSegments();
    List<PartContent> contents = contents(of.content());
    try {
      long started = System.nanoTime();
      for (Segment segment : segments) {
        frames.add(coder.encoder.encode(List.of(segment), contents, buffers, 0));
      }
      long encodeNs = System.nanoTime() - started;
      ColumnSample.Sink sink = new ColumnSample.Sink(of.part(), segments, target);
      long bytes = 0;
      started = System.nanoTime();
      for (Lease frame : frames) {
        bytes += frame.remainingBytes();
        coder.decoder.decode(FrameHeader.verify(frame.buffer()), sink);
      }
      return new Pass(bytes, encodeNs, System.nanoTime() - started);
    } finally {
      frames.forEach(Lease::close);
      frames.clear();
    }
  }

  @Override
  public Map<String, Integer> encodings() throws InterruptedException {
    Map<String, Integer> encodings = new TreeMap<>();
    ColumnSample of = sample();
    if (coder.writing instanceof ColumnarSegmentSerializer columnar) {
      for (Segment segment : of.segments()) {
        coder.encoder.encode(List.of(segment), contents(of.content()), buffers, 0).close();
        encodings.merge(columnar.lastEncoding(), 1, Integer::sum);
      }
    } else if (coder.form instanceof TextForm form) {
      encodings.put(form.toString(), of.segments().size());
    }
    return encodings;
  }

  @Override
  public void close() {
    for (Coder each : coders) {
      each.encoder.close();
      each.decoder.close();
    }
  }
}
