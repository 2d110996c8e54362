package io.drayage.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Asserts on faults and other failures. */
public final class Refusals {
  private Refusals() {}

  /** Asserts that {@code call} throws a {@link ShipmentException} with this fault. Returns it. */
  public static AbstractThrowableAssert<?, ? extends Throwable> assertFault(
      Fault fault, ThrowingCallable call) {
    Throwable thrown = catchThrowable(call);
    assertThat(thrown)
        .isInstanceOfSatisfying(
            ShipmentException.class,
            e -> assertThat(e.fault()).as(e.getMessage()).isEqualTo(fault));
    return assertThat(thrown);
  }

  /** Asserts that {@code step} throws a {@link ShipmentException} whose message has these parts. */
  public static void assertFails(ThrowingCallable step, Fault fault, String... parts) {
    assertFault(fault, step).hasMessageContainingAll(parts);
  }

  /** Asserts that {@code step} throws such an exception, whose message has these parts. */
  public static void assertFails(
      ThrowingCallable step, Class<? extends Throwable> type, String... parts) {
    assertThat(catchThrowable(step)).isInstanceOf(type).hasMessageContainingAll(parts);
  }
}
