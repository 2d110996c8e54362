package io.drayage.bench.columns;

import io.drayage.bench.columns.Candidate.Pass;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The measured turns of one codec for one column. Not thread-safe. */
final class Turns {
  /** Fewer bytes are encoded several times in a turn. */
  private static final long MIN_TURN_BYTES = 4L << 20;

  private static final int MAX_PASSES = 100;

  /** The passes of a turn end after this time, so that slow codecs have fewer passes. */
  private static final long MAX_TURN_NS = 100_000_000;

  private static final double NANOS_PER_S = 1e9;

  private final Candidate candidate;
  private final ColumnSample sample;
  private final List<Double> encodeS = new ArrayList<>();
  private final List<Double> decodeS = new ArrayList<>();
  private long bytes;
  private long lastPassNs = 1;

  /**
   * Creates turns without measurements.
   *
   * @param candidate has accepted the column
   */
  Turns(Candidate candidate, ColumnSample sample) {
    this.candidate = candidate;
    this.sample = sample;
  }

  /** Runs one pass that is not measured. */
  void warmUp() throws IOException, InterruptedException {
    Pass pass = candidate.pass(1);
    lastPassNs = Math.max(1, pass.encodeNs() + pass.decodeNs());
  }

  /** Measures one turn: passes until it is long enough. */
  void turn() throws IOException, InterruptedException {
    long most =
        Math.min(
            Math.min(MAX_PASSES, MIN_TURN_BYTES / sample.rawBytes()), MAX_TURN_NS / lastPassNs);
    int passes = (int) Math.max(1, most);
    Pass pass = candidate.pass(passes);
    bytes = pass.bytes();
    encodeS.add(pass.encodeNs() / NANOS_PER_S / passes);
    decodeS.add(pass.decodeNs() / NANOS_PER_S / passes);
  }

  /** Returns the row of the measured turns. */
  ColumnRow row() throws IOException, InterruptedException {
    return ColumnRow.of(sample, candidate.name(), bytes, encodeS, decodeS, candidate.encodings());
  }
}
