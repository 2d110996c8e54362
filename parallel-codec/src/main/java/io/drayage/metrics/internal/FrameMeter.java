package io.drayage.metrics.internal;

import io.drayage.codec.Compressor;
import io.drayage.metrics.CodecCounters;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentHeader;
import java.util.List;

/**
 * Counts one frame of segments, from its begin to its end on a codec thread, and tells Flight
 * Recorder. Made for each frame; not thread-safe.
 */
public final class FrameMeter {
  private final CodecCounters counters;
  private final SegmentEvent event = new SegmentEvent();
  private final long beganNs = System.nanoTime();

  /** Begins now. */
  public FrameMeter(CodecCounters counters) {
    this.counters = counters;
    event.begin();
  }

  /**
   * The frame is done.
   *
   * @param direction encode or decode
   * @param compressor the one of the shipment
   * @param wireBytes of the whole frame
   * @param waitNs how long the frame had waited for its buffer before
   */
  public void end(
      String direction,
      List<Segment> run,
      SegmentHeader header,
      Compressor compressor,
      long wireBytes,
      long waitNs) {
    event.end();
    counters.addBusy(System.nanoTime() - beganNs);
    long rawBytes = Segment.estimatedRawBytes(run);
    counters.addFrame(run.size(), rawBytes, header.serializedBytes(), wireBytes);
    if (header.compressorId() != compressor.id()) {
      counters.addStored(run.size());
    }
    if (event.shouldCommit()) {
      Segment first = run.get(0);
      event.direction = direction;
      event.table = first.part().table();
      event.column = first.part().column();
      event.segments = run.size();
      event.rawBytes = rawBytes;
      event.wireBytes = wireBytes;
      event.bufferWaitNs = waitNs;
      event.commit();
    }
  }
}
