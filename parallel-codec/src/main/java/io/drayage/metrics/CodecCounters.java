package io.drayage.metrics;

import java.util.concurrent.atomic.LongAdder;

/**
 * Counts what one side's codec threads do. Public for pipelines, which count here; others read a
 * {@link CodecSnapshot}. Thread-safe; what is added is seen by later snapshots.
 */
public final class CodecCounters {
  private final LongAdder segments = new LongAdder();
  private final LongAdder frames = new LongAdder();
  private final LongAdder rawBytes = new LongAdder();
  private final LongAdder serializedBytes = new LongAdder();
  private final LongAdder wireBytes = new LongAdder();
  private final LongAdder storedSegments = new LongAdder();
  private final LongAdder busyNs = new LongAdder();
  private final LongAdder waits = new LongAdder();
  private final LongAdder waitNs = new LongAdder();
  private volatile int threads;

  CodecCounters() {}

  /** Sets the number of codec threads. */
  public void setThreads(int count) {
    threads = count;
  }

  /**
   * A frame of segments was encoded or decoded.
   *
   * @param segmentCount one, or those of a run
   * @param raw about how many raw bytes they have
   * @param serialized their bytes between serializer and compressor
   * @param wire bytes of the frame, headers included
   */
  public void addFrame(long segmentCount, long raw, long serialized, long wire) {
    frames.increment();
    segments.add(segmentCount);
    rawBytes.add(raw);
    serializedBytes.add(serialized);
    wireBytes.add(wire);
  }

  /** A chunk of a stream was filled or read. What it holds of the cargo is not known. */
  public void addChunk(long wire) {
    frames.increment();
    wireBytes.add(wire);
  }

  /** A compressor did not make these segments smaller. */
  public void addStored(long segmentCount) {
    storedSegments.add(segmentCount);
  }

  /** A codec thread has worked for so long, waits left out. */
  public void addBusy(long ns) {
    busyNs.add(ns);
  }

  /** A frame has waited for a leased buffer; in a stream, the thread for its queue. */
  public void addWait(long ns) {
    waits.increment();
    waitNs.add(ns);
  }

  CodecSnapshot snapshot() {
    return new CodecSnapshot(
        threads,
        segments.sum(),
        frames.sum(),
        rawBytes.sum(),
        serializedBytes.sum(),
        wireBytes.sum(),
        storedSegments.sum(),
        busyNs.sum(),
        waits.sum(),
        waitNs.sum());
  }
}
