package io.drayage.study.sikdar;

import static io.drayage.internal.Texts.format;

import io.drayage.study.sikdar.form.ObjectKind;
import java.util.List;

/**
 * The objects of an experiment: distinct ones, repeated as often as necessary.
 *
 * @param kind their class
 * @param distinct in the order of their keys
 * @param count number of objects to handle
 */
record SikdarWorkload(ObjectKind kind, List<?> distinct, int count) {
  Object object(int index) {
    return distinct.get(index % distinct.size());
  }

  /** Returns the sum of all prices, which every system must find. */
  double price() {
    double sum = 0;
    for (int i = 0; i < count; i++) {
      sum += kind.price(object(i));
    }
    return sum;
  }

  /**
   * Checks the sum of a system.
   *
   * @throws IllegalStateException if the sum is wrong
   */
  void check(String system, double price) {
    double expected = price();
    if (Math.abs(price - expected) > 1e-9 * Math.max(1, expected)) {
      throw new IllegalStateException(
          format("%s read prices of %,.2f in place of %,.2f", system, price, expected));
    }
  }
}
