package io.drayage.duckdb.file;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A format that fits all dates and times of a column so far. Not thread-safe. */
final class FittingFormat {
  /** A value that two formats read as two times. */
  record Difference(long line, String shown) {}

  private final MomentFormat format;
  private final Moment moment = new Moment();
  private Moment.@Nullable Shape shape;
  private int mostFractionDigits;
  private boolean allFitNanos = true;

  /** The first difference from each other format. */
  private final Map<FittingFormat, Difference> differences = new HashMap<>();

  FittingFormat(MomentFormat format) {
    this.format = format;
  }

  /**
   * Whether the format also fits this value.
   *
   * @param hasOneShape whether the value must have the same parts as those before
   */
  boolean fits(Cell value, boolean hasOneShape) {
    return format.read(value, moment) && (!hasOneShape || shape == null || shape == moment.shape);
  }

  /** Adds the value that fits. */
  void add() {
    shape = moment.shape;
    mostFractionDigits = Math.max(mostFractionDigits, moment.fractionDigits);
    allFitNanos &= moment.fitsNanos();
  }

  /** Notes the difference from another format that also fits the value. */
  void compare(FittingFormat other, Cell value) {
    if (!moment.isSame(other.moment) && !differences.containsKey(other)) {
      differences.put(other, new Difference(value.line, value.shown()));
    }
  }

  /** Returns the first difference that was noted; null if there is none. */
  @Nullable Difference differenceFrom(FittingFormat other) {
    return differences.get(other);
  }

  MomentFormat format() {
    return format;
  }

  Moment.Shape shape() {
    return shape == null ? Moment.Shape.DATE : shape;
  }

  int mostFractionDigits() {
    return mostFractionDigits;
  }

  /** Whether nanoseconds in 64 bits can express each value. */
  boolean allFitNanos() {
    return allFitNanos;
  }

  @Override
  public String toString() {
    return format.toString();
  }
}
