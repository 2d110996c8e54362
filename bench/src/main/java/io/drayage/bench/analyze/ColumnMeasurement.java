package io.drayage.bench.analyze;

import io.drayage.cargo.PartContent;
import io.drayage.frame.ShipmentException;
import io.drayage.memory.BufferPool;
import io.drayage.memory.ByteBudget;
import io.drayage.segment.SegmentPlanner;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Measures columns, one after the other, with all codecs in turns, on the calling thread alone.
 *
 * <p>Buffers and the arrays that are decoded into are used again, as they are where shipments
 * follow one another.
 */
final class ColumnMeasurement implements AutoCloseable {
  /** Less is encoded more than once in a turn. */
  private static final long MIN_TURN_BYTES = 4L << 20;

  private static final int MAX_PASSES = 100;
  private static final long WARM_UP_NS_PER_TURN = 60_000_000;
  private static final double NANOS_PER_S = 1e9;

  /** As the sender's: a quarter above a segment, for validity bits and headers. */
  private static final int BUFFER_BYTES = SegmentPlanner.DEFAULT_SEGMENT_BYTES * 5 / 4;

  /** Never waited for: there is but one thread. */
  private static final long BUDGET_BYTES = 1L << 40;

  private final int turns;
  private final long linkBytesPerSecond;
  private final List<CandidateRun> runs;

  /**
   * A measurement.
   *
   * @param linkBytesPerSecond what the bytes of a column are counted by as time
   */
  ColumnMeasurement(List<Candidate> candidates, int turns, long linkBytesPerSecond) {
    this.turns = turns;
    this.linkBytesPerSecond = linkBytesPerSecond;
    BufferPool buffers = new BufferPool(BUFFER_BYTES, new ByteBudget(BUDGET_BYTES));
    this.runs = candidates.stream().map(c -> new CandidateRun(c, buffers)).toList();
  }

  /**
   * Lets every codec see a column for a while, and checks what it decodes.
   *
   * @throws IllegalStateException if that is not what was encoded
   */
  void warmUp(ColumnSample sample) throws InterruptedException, ShipmentException {
    long started = System.nanoTime();
    for (CandidateRun run : runs) {
      PartContent target = sample.emptyTarget();
      run.pass(sample, target);
      sample.verify(target, run.candidate().name());
    }
    PartContent target = sample.emptyTarget();
    while (System.nanoTime() - started < turns * WARM_UP_NS_PER_TURN) {
      for (CandidateRun run : runs) {
        run.pass(sample, target);
      }
    }
  }

  /** The row of one column: warms up, and then takes the turns. */
  ColumnRow measure(ColumnSample sample) throws InterruptedException, ShipmentException {
    warmUp(sample);
    List<Times> times = runs.stream().map(run -> new Times()).toList();
    PartContent target = sample.emptyTarget();
    for (int turn = 0; turn < turns; turn++) {
      for (int r = 0; r < runs.size(); r++) {
        turn(runs.get(r), sample, target, times.get(r));
      }
    }
    List<CodecFigures> codecs = new ArrayList<>();
    Map<String, Integer> encodings = Map.of();
    for (int r = 0; r < runs.size(); r++) {
      CandidateRun run = runs.get(r);
      Times of = times.get(r);
      String name = run.candidate().name();
      codecs.add(CodecFigures.of(name, sample.rawBytes(), run.bytes(), of.encodeS, of.decodeS));
      if (name.equals(Candidate.COLUMNAR)) {
        encodings = run.encodings(sample);
      }
    }
    return ColumnRow.of(sample, encodings, codecs, linkBytesPerSecond);
  }

  private static void turn(CandidateRun run, ColumnSample sample, PartContent target, Times times)
      throws InterruptedException, ShipmentException {
    long passes = Math.max(1, Math.min(MAX_PASSES, MIN_TURN_BYTES / sample.rawBytes()));
    long encodeNs = 0;
    long decodeNs = 0;
    for (int pass = 0; pass < passes; pass++) {
      run.pass(sample, target);
      encodeNs += run.encodeNs();
      decodeNs += run.decodeNs();
    }
    times.encodeS.add(encodeNs / NANOS_PER_S / passes);
    times.decodeS.add(decodeNs / NANOS_PER_S / passes);
  }

  private static final class Times {
    final List<Double> encodeS = new ArrayList<>();
    final List<Double> decodeS = new ArrayList<>();
  }

  @Override
  public void close() {
    runs.forEach(CandidateRun::close);
  }
}
