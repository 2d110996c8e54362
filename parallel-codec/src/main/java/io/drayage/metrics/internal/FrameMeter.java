package io.drayage.metrics.internal;

import io.drayage.codec.Compressor;
import io.drayage.metrics.Counters;
import io.drayage.metrics.Metric;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentHeader;
import java.util.List;

/**
 * Counts one frame of segments, from start to end on a codec thread, and reports it to Flight
 * Recorder. Created for each frame. Not thread-safe.
 */
public final class FrameMeter {
  private final Counters counters;
  private final SegmentEvent event = new SegmentEvent();
  private final long beganNs = System.nanoTime();

  /** Begins now. */
  public FrameMeter(Counters counters) {
    this.counters = counters;
    event.begin();
  }

  /**
   * Counts the frame, which is done.
   *
   * @param direction encode or decode
   * @param compressor the compressor of the shipment
   * @param wireBytes bytes of the whole frame
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
    counters.add(Metric.BUSY_NS, System.nanoTime() - beganNs);
    long rawBytes = Segment.estimatedRawBytes(run);
    counters.count(Metric.FRAMES);
    counters.add(Metric.SEGMENTS, run.size());
    counters.add(Metric.RAW_BYTES, rawBytes);
    counters.add(Metric.SERIALIZED_BYTES, header.serializedBytes());
    counters.add(Metric.WIRE_BYTES, wireBytes);
    if (header.compressorId() != compressor.id()) {
      counters.add(Metric.STORED_SEGMENTS, run.size());
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
