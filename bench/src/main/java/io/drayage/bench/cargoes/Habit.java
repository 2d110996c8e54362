package io.drayage.bench.cargoes;

import java.util.SplittableRandom;

/**
 * How a planned number behaves from row to row: whole numbers from 1 on, small ones more often, and
 * often the same as a week before.
 *
 * @param largest the largest number; the median is a quarter of it
 * @param repeated how likely a row has the number of the row before it, 0 to 1
 */
record Habit(int largest, double repeated) {

  /** The numbers of {@code rows} rows. */
  int[] numbers(int rows, SplittableRandom random) {
    int[] numbers = new int[rows];
    int number = 0;
    for (int i = 0; i < rows; i++) {
      if (i == 0 || random.nextDouble() >= repeated) {
        double even = random.nextDouble();
        number = 1 + (int) (largest * even * even);
      }
      numbers[i] = number;
    }
    return numbers;
  }
}
