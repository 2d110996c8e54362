package io.drayage.bench.analyze;

import io.drayage.cargo.PartContent;
import io.drayage.codec.SegmentDecoder;
import io.drayage.codec.SegmentEncoder;
import io.drayage.columnar.ColumnarSegmentSerializer;
import io.drayage.columnar.stream.EncodingTree;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.ShipmentException;
import io.drayage.memory.BufferPool;
import io.drayage.memory.Lease;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentSerializer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One codec at work, as in the pipeline: each segment to a frame with its checksum, and back. For
 * one thread.
 */
final class CandidateRun implements AutoCloseable {
  private final Candidate candidate;
  private final BufferPool buffers;
  private final SegmentSerializer writing;
  private final SegmentEncoder encoder;
  private final SegmentDecoder decoder;
  private final List<Lease> frames = new ArrayList<>();
  private long encodeNs;
  private long decodeNs;
  private long bytes;

  CandidateRun(Candidate candidate, BufferPool buffers) {
    this.candidate = candidate;
    this.buffers = buffers;
    int id = candidate.serializer().id();
    this.writing = candidate.serializer().newSegmentSerializer();
    this.encoder = new SegmentEncoder(writing, id, candidate.compressor());
    this.decoder =
        new SegmentDecoder(
            candidate.serializer().newSegmentSerializer(), id, candidate.compressor());
  }

  Candidate candidate() {
    return candidate;
  }

  /**
   * Encodes and decodes all segments of {@code sample} once; then {@link #encodeNs}, {@link
   * #decodeNs} and {@link #bytes} tell of it. The frames of all segments are in memory between the
   * two.
   */
  void pass(ColumnSample sample, PartContent target)
      throws InterruptedException, ShipmentException {
    List<Segment> segments = sample.unknownSegments();
    // Only this part is asked for its content, by its number.
    List<PartContent> contents =
        Collections.nCopies(sample.part().index() + 1, sample.unknownContent());
    try {
      long started = System.nanoTime();
      for (Segment segment : segments) {
        frames.add(encoder.encode(List.of(segment), contents, buffers, 0));
      }
      encodeNs = System.nanoTime() - started;
      ColumnSink sink = new ColumnSink(sample.part(), segments, target);
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

  /**
   * Which encodings the segments of {@code sample} get, with the number of segments of each; none
   * if this codec has no choice.
   */
  Map<String, Integer> encodings(ColumnSample sample) throws InterruptedException {
    Map<String, Integer> encodings = new TreeMap<>();
    if (writing instanceof ColumnarSegmentSerializer columnar) {
      List<PartContent> contents = Collections.nCopies(sample.part().index() + 1, sample.content());
      for (Segment segment : sample.segments()) {
        encoder.encode(List.of(segment), contents, buffers, 0).close();
        EncodingTree tree = columnar.lastEncoding();
        encodings.merge(tree.toString(), 1, Integer::sum);
      }
    }
    return encodings;
  }

  long encodeNs() {
    return encodeNs;
  }

  long decodeNs() {
    return decodeNs;
  }

  /** The bytes of the frames. */
  long bytes() {
    return bytes;
  }

  @Override
  public void close() {
    encoder.close();
    decoder.close();
  }
}
