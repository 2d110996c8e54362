package io.drayage.columnar.stream;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the encodings would make of one stream. Not thread-safe; reused. */
public final class Estimates {
  /** About what the length of a run takes beyond the bits of the mean length. */
  private static final double SPREAD_BITS = 1.7;

  /** How many of it are a bit: what a sample tells of the entropy of values is counted in this. */
  public static final int ENTROPY_UNITS = 1_000;

  /** What an entropy coder takes for a number, both ways. */
  private static final double CODING_NS = 16;

  private final double nsPerByte;
  private final double writingShare;
  private final Statistics statistics;
  private final List<Choice> choices = new ArrayList<>();
  private Values values = new ArrayValues(Kind.INT, new int[0], 0);
  private Facts facts = new Facts();
  private double leastBytes;
  private double leastNs;
  private boolean sampled;
  private boolean closed;

  /**
   * @param nsPerByte what a byte of a stream costs behind the encoding
   * @param writingShare what it takes to write values, of the costs of both sides: what was tried
   *     need not be written again
   */
  public Estimates(double nsPerByte, double writingShare, Statistics statistics) {
    this.nsPerByte = nsPerByte;
    this.writingShare = writingShare;
    this.statistics = statistics;
  }

  /** Begins with another stream. */
  public void begin(Values newValues, Facts newFacts, boolean isSampled) {
    choices.clear();
    values = newValues;
    facts = newFacts;
    sampled = isSampled;
    closed = false;
    leastBytes = Double.MAX_VALUE;
    leastNs = Double.MAX_VALUE;
  }

  /** Whether an encoding would be the best so far if it left the least that it can. */
  public boolean mayBeBest(Encoding encoding, ValueSample sample) {
    double fixedNs = fixedNs(encoding);
    if (!facts.isShared()) {
      fixedNs += encoding.learnNs(values.count(), values.rawWidth());
    }
    return fixedNs < leastNs
        && fixedNs + perByte(encoding) * encoding.leastBytes(sample, values) < leastNs;
  }

  private double fixedNs(Encoding encoding) {
    double perValue = encoding.nsPerValue(values.kind(), values.rawWidth());
    return values.count() * perValue + encoding.nsPerStream();
  }

  private double perByte(Encoding encoding) {
    return nsPerByte + encoding.nsPerWrittenByte();
  }

  public Values values() {
    return values;
  }

  public int count() {
    return values.count();
  }

  public Statistics statistics() {
    return statistics;
  }

  /** Whether the stream is long enough for a sample, and for streams within. */
  public boolean isSampled() {
    return sampled;
  }

  /** What a sample told about an encoding; null if nothing, or that it does not suit. */
  public @Nullable Hint hint(Encoding encoding) {
    return sampled ? facts.hint(encoding) : null;
  }

  /** What a value takes in the best encoding so far. */
  public double bestBits() {
    return leastBytes * Byte.SIZE / values.count();
  }

  /** About what the distance between two of so many places takes, in bits. */
  public static double distanceBits(double values, double places) {
    return StrictMath.log(values / places) / StrictMath.log(2) + SPREAD_BITS;
  }

  /** Adds a choice that takes so many bytes. */
  public void add(Encoding encoding, double bytes) {
    add(encoding, bytes, 0);
    leastBytes = Math.min(leastBytes, bytes);
  }

  /**
   * Adds a choice that costs more than the same for each value. It does not count for {@link
   * #bestBits}.
   */
  public void add(Encoding encoding, double bytes, double moreNs) {
    double tried = facts.triedBytes(encoding);
    if (tried == 0) {
      choices.add(choice(encoding, bytes, moreNs));
    } else if (tried < Double.POSITIVE_INFINITY) {
      double writtenNs = writingShare * (fixedNs(encoding) + moreNs);
      choices.add(choice(encoding, tried * values.count(), moreNs - writtenNs));
    }
  }

  /**
   * Adds a choice that takes so many bytes, or fewer if the numbers within are entropy-coded, where
   * that is worth the time.
   */
  public void addCoded(Encoding encoding, double bytes, double codedBytes) {
    double codingNs = CODING_NS * values.count();
    if ((bytes - codedBytes) * nsPerByte > codingNs) {
      add(encoding, codedBytes, codingNs);
    } else {
      add(encoding, bytes);
    }
  }

  /** Adds a choice that makes further ones pointless. */
  public void addLast(Encoding encoding, double bytes) {
    add(encoding, bytes);
    closed = true;
  }

  private Choice choice(Encoding encoding, double bytes, double moreNs) {
    double ns = bytes * perByte(encoding) + fixedNs(encoding) + moreNs;
    leastNs = Math.min(leastNs, ns);
    return new Choice(encoding, bytes, ns);
  }

  /** Whether no further choice is wanted. */
  public boolean isClosed() {
    return closed;
  }

  /** All choices, in no order. */
  public List<Choice> all() {
    return List.copyOf(choices);
  }

  /** What is not dearer than {@code last}, which was added as well, best first. */
  public List<Choice> upTo(Encoding last) {
    choices.sort((a, b) -> Double.compare(a.ns(), b.ns()));
    int at = 0;
    while (choices.get(at).encoding() != last) {
      at++;
    }
    return choices.subList(0, at + 1);
  }
}
