package io.drayage.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class BegunTest {
  private final List<String> ended = new ArrayList<>();

  private void open(Exception failure) throws Exception {
    try (Begun begun = new Begun(() -> ended.add("first"))) {
      begun.add(
          () -> {
            ended.add("second");
            throw new IOException("of the end");
          });
      throw failure;
    }
  }

  @Test
  void aFailureOfAnEndHidesNeitherTheFailureOfTheStepNorTheOtherEnds() {
    IOException failure = new IOException("of the step");

    assertThat(catchThrowable(() -> open(failure))).isSameAs(failure);
    assertThat(failure.getSuppressed()).hasOnlyElementsOfType(UncheckedIOException.class);
    assertThat(ended).containsExactly("second", "first");
  }

  @Test
  void endsKeptStepsLaterAndOnce() {
    Runnable end;
    try (Begun begun = new Begun(() -> ended.add("first"), () -> ended.add("second"))) {
      end = begun.keep();
    }
    assertThat(ended).isEmpty();

    end.run();
    end.run();

    assertThat(ended).containsExactly("second", "first");
  }
}
