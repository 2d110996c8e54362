package io.drayage.bench.profile;

import org.jspecify.annotations.Nullable;

/**
 * One flame graph in the folder. Serialized by Jackson.
 *
 * @param kind which samples it shows
 * @param name of the event, phase or role
 * @param event the sampled event
 * @param against the system that is subtracted; null if the graph is no difference
 * @param file beside the page
 * @param samples number of samples in it; of a difference, those of {@code system}
 */
public record Graph(
    String system,
    String side,
    GraphKind kind,
    String name,
    String event,
    @Nullable String against,
    String file,
    long samples) {
  /** Returns the kind and name of the samples as a text. */
  String label() {
    return switch (kind) {
      case EVENT -> name;
      case PHASE -> event + " during " + name;
      case ROLE -> event + " of " + name;
      case DIFFERENCE ->
          "%s, difference from %s (red: a larger share here)".formatted(name, against);
    };
  }

  String title() {
    return "%s, %s: %s".formatted(system, side, label());
  }

  /** The kind of samples in a graph. */
  enum GraphKind {
    /** All samples of one event. */
    EVENT,
    /** The samples of CPU time in one phase of S+Q. */
    PHASE,
    /** The samples of CPU time in threads with one role. */
    ROLE,
    /** The difference between two systems. */
    DIFFERENCE
  }
}
