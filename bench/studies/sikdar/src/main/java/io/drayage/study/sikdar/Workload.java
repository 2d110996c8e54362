package io.drayage.study.sikdar;

import static io.drayage.internal.Texts.format;

import io.drayage.study.sikdar.form.ObjectKind;
import java.util.List;

/**
 * Objects that an experiment handles: distinct ones, taken over and over.
 *
 * @param kind their class
 * @param distinct in the order of their keys
 * @param count how many are handled
 */
record Workload(ObjectKind kind, List<?> distinct, int count) {
  Object object(int index) {
    return distinct.get(index % distinct.size());
  }

  /** All prices added up: what every system must find. */
  double price() {
    double sum = 0;
    for (int i = 0; i < count; i++) {
      sum += kind.price(object(i));
    }
    return sum;
  }

  /**
   * Checks what a system found.
   *
   * @throws IllegalStateException if it is another sum
   */
  void check(String system, double price) {
    double expected = price();
    if (Math.abs(price - expected) > 1e-9 * Math.max(1, expected)) {
      throw new IllegalStateException(
          format("%s read prices of %,.2f in place of %,.2f", system, price, expected));
    }
  }
}
