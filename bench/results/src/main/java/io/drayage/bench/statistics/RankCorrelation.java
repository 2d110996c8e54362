package io.drayage.bench.statistics;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Spearman's rank correlation: the similarity of two orders of the same systems. */
public final class RankCorrelation {
  private static final int FEWEST = 3;

  private RankCorrelation() {}

  /**
   * Returns 1 for the same order, -1 for the opposite one; null for fewer than three pairs, or if
   * all figures of one side are equal.
   *
   * @param first figures
   * @param second figures of the same systems, in the same order
   */
  public static @Nullable Double of(List<Double> first, List<Double> second) {
    int count = first.size();
    if (count < FEWEST) {
      return null;
    }
    double mean = (count + 1) / 2.0;
    double product = 0;
    double firstSquares = 0;
    double secondSquares = 0;
    for (int i = 0; i < count; i++) {
      double a = rank(first, first.get(i)) - mean;
      double b = rank(second, second.get(i)) - mean;
      product += a * b;
      firstSquares += a * a;
      secondSquares += b * b;
    }
    double norm = Math.sqrt(firstSquares * secondSquares);
    return norm == 0 ? null : (Double) (product / norm);
  }

  /** Returns a figure's rank, from 1 for the least. Equal figures share their mean rank. */
  public static double rank(List<Double> figures, double figure) {
    long less = figures.stream().filter(other -> other < figure).count();
    long equal = figures.stream().filter(other -> other == figure).count();
    return less + (equal + 1) / 2.0;
  }
}
