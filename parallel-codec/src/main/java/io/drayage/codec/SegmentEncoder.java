package io.drayage.codec;

import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.PartContent;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.memory.BufferPool;
import io.drayage.memory.Lease;
import io.drayage.memory.LeaseSource;
import io.drayage.segment.FramePlan;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentHeader;
import io.drayage.segment.SegmentSerializer;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes the frames of segments, or of runs of small ones: serializer and compressor in one step,
 * into a leased buffer. A segment that does not become smaller is stored as the serializer wrote
 * it. Not thread-safe.
 */
public final class SegmentEncoder implements AutoCloseable {
  private static final int HEADERS_BYTES = FrameHeader.BYTES + SegmentHeader.BYTES;

  private final SegmentSerializer serializer;
  private final int serializerId;
  private final SegmentCompressor compressor;
  private final int compressorId;
  private final ScratchBuffer scratch = new ScratchBuffer();
  private SegmentHeader lastHeader = new SegmentHeader(0, 0, Compressor.STORED_ID, 0, 0);

  /**
   * The last segment on demand, while its frame is made: the pages of at most one segment are kept.
   */
  private int retainedSegment;

  private @Nullable PartContent retainedContent;

  /**
   * Creates the encoder of a codec thread.
   *
   * @param serializer has state, so that only this encoder may use it
   * @param serializerId its number on the wire
   */
  public SegmentEncoder(SegmentSerializer serializer, int serializerId, Compressor compressor) {
    this.serializer = CheckedSegments.of(serializer, serializerId, compressor);
    this.serializerId = serializerId;
    this.compressor = compressor.newSegmentCompressor();
    this.compressorId = compressor.id();
    if (compressorId != Compressor.STORED_ID) {
      this.serializer.expectCompression();
    }
  }

  /**
   * The complete frame of a segment, or of a run of consecutive segments. Waits for a buffer.
   *
   * @param run the segments of one frame of the {@link FramePlan}
   * @param contents the parts of the cargo, by their index
   * @return a lease that the caller owns
   */
  public Lease encode(
      List<Segment> run, List<PartContent> contents, BufferPool buffers, long shipmentId)
      throws InterruptedException {
    Lease frame = tryEncode(run, contents, buffers, shipmentId);
    return Objects.requireNonNull(frame, "a pool waits until it has a buffer");
  }

  /**
   * Returns the frame as {@link #encode} does, but does not wait if {@code buffers} has no buffer.
   *
   * @return null if there was no buffer that is large enough
   */
  public @Nullable Lease tryEncode(
      List<Segment> run, List<PartContent> contents, LeaseSource buffers, long shipmentId)
      throws InterruptedException {
    try {
      return compressorId == Compressor.STORED_ID
          ? encodeStored(run, contents, buffers, shipmentId)
          : encodeCompressed(run, contents, buffers, shipmentId);
    } finally {
      retainedContent = null;
    }
  }

  /** The content of a segment. A page on demand is made once, though a serializer asks again. */
  private PartContent content(Segment segment, List<PartContent> contents) {
    PartContent content = contents.get(segment.part().index());
    if (!(content instanceof ColumnValues values) || !values.isOnDemand()) {
      return content;
    }
    PartContent pages = retainedContent;
    if (pages == null || segment.index() != retainedSegment) {
      pages = values.pinned(segment.firstRow(), segment.rowCount());
      retainedContent = pages;
      retainedSegment = segment.index();
    }
    return pages;
  }

  /** The header of the frame that was encoded last. */
  public SegmentHeader lastHeader() {
    return lastHeader;
  }

  private @Nullable Lease encodeStored(
      List<Segment> run, List<PartContent> contents, LeaseSource buffers, long shipmentId)
      throws InterruptedException {
    // The bound of a segment of texts needs the length of each text, and is about twice the usual
    // size: first try a pooled buffer.
    if (HEADERS_BYTES + estimatedRawBytes(run) < buffers.pooledBytes()) {
      try {
        return fill(
            buffers.lease(buffers.pooledBytes()),
            frame -> serializeInto(frame, run, contents, shipmentId));
      } catch (BufferOverflowException e) {
        // The segment is longer than estimated: try again with a buffer for the worst case.
      }
    }
    int maxBytes = HEADERS_BYTES + maxSerializedBytes(run, contents);
    return fill(buffers.lease(maxBytes), frame -> serializeInto(frame, run, contents, shipmentId));
  }

  private void serializeInto(
      ByteBuffer frame, List<Segment> run, List<PartContent> contents, long shipmentId) {
    frame.position(HEADERS_BYTES);
    serialize(run, contents, frame);
    int serializedBytes = frame.position() - HEADERS_BYTES;
    finish(frame, run, Compressor.STORED_ID, serializedBytes, shipmentId);
  }

  private @Nullable Lease encodeCompressed(
      List<Segment> run, List<PartContent> contents, LeaseSource buffers, long shipmentId)
      throws InterruptedException {
    ByteBuffer serialized = serializeIntoScratch(run, contents);
    return fill(
        buffers.lease(HEADERS_BYTES + serialized.limit()),
        frame -> compressInto(frame, serialized, run, shipmentId));
  }

  private ByteBuffer serializeIntoScratch(List<Segment> run, List<PartContent> contents) {
    int maxBytes = maxSerializedBytes(run, contents);
    if (maxBytes > scratch.capacity() && estimatedRawBytes(run) < scratch.capacity()) {
      try {
        return serialize(run, contents, scratch.ofBytes(scratch.capacity())).flip();
      } catch (BufferOverflowException e) {
        // The segment is longer than estimated: try again with room for the worst case.
      }
    }
    return serialize(run, contents, scratch.ofBytes(maxBytes)).flip();
  }

  private int maxSerializedBytes(List<Segment> run, List<PartContent> contents) {
    long bytes = run.size() == 1 ? 0 : (long) run.size() * SegmentHeader.LENGTH_BYTES;
    for (Segment segment : run) {
      bytes += serializer.maxSerializedBytes(segment, content(segment, contents));
    }
    return Math.toIntExact(bytes);
  }

  private static long estimatedRawBytes(List<Segment> run) {
    return Segment.estimatedRawBytes(run) + (long) run.size() * SegmentHeader.LENGTH_BYTES;
  }

  /** Writes a single segment without its length, and each segment of a run behind its length. */
  private ByteBuffer serialize(List<Segment> run, List<PartContent> contents, ByteBuffer target) {
    for (Segment segment : run) {
      int lengthAt = target.position();
      if (run.size() > 1) {
        target.putInt(0);
      }
      int start = target.position();
      serializer.serialize(segment, content(segment, contents), target);
      if (run.size() > 1) {
        target.putInt(lengthAt, target.position() - start);
      }
    }
    return target;
  }

  private void compressInto(
      ByteBuffer frame, ByteBuffer serialized, List<Segment> run, long shipmentId) {
    int serializedBytes = serialized.limit();
    int id = compressorId;
    frame.position(HEADERS_BYTES).limit(HEADERS_BYTES + Math.max(0, serializedBytes - 1));
    if (!compressor.compress(serialized, frame)) {
      id = Compressor.STORED_ID;
      frame.clear().position(HEADERS_BYTES).put(serialized.position(0).limit(serializedBytes));
    }
    finish(frame, run, id, serializedBytes, shipmentId);
  }

  private void finish(
      ByteBuffer frame, List<Segment> run, int compressedBy, int serializedBytes, long shipmentId) {
    frame.flip();
    lastHeader =
        new SegmentHeader(
            run.get(0).index(), serializerId, compressedBy, serializedBytes, run.size() - 1);
    lastHeader.write(frame, FrameHeader.BYTES);
    FrameHeader.write(frame, FrameType.SEGMENT, shipmentId);
  }

  /** Fills a leased buffer. Releases it on failure. */
  private static @Nullable Lease fill(@Nullable Lease lease, Consumer<ByteBuffer> content) {
    if (lease == null) {
      return null;
    }
    boolean done = false;
    try {
      content.accept(lease.buffer());
      done = true;
      return lease;
    } finally {
      if (!done) {
        lease.close();
      }
    }
  }

  @Override
  public void close() {
    serializer.close();
    compressor.close();
  }
}
