package io.drayage.bench.profile;

import org.jspecify.annotations.Nullable;

/**
 * One flame graph in the folder. Serialized by Jackson.
 *
 * @param kind what of the samples it shows
 * @param name which event, phase or role
 * @param event what was sampled
 * @param against the system that it is the difference to; null if it is none
 * @param file beside the page
 * @param samples how many samples it shows, of a difference those of {@code system}
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
  /** What it shows of which samples. */
  String label() {
    return switch (kind) {
      case EVENT -> name;
      case PHASE -> event + " during " + name;
      case ROLE -> event + " of " + name;
      case DIFFERENCE ->
          "%s, as it differs from %s (red: a larger share here)".formatted(name, against);
    };
  }

  String title() {
    return "%s, %s: %s".formatted(system, side, label());
  }

  /** What of the samples a graph shows. */
  enum GraphKind {
    /** All of one event. */
    EVENT,
    /** Those of the processor in one phase of S+Q. */
    PHASE,
    /** Those of the processor of threads with one role. */
    ROLE,
    /** Where one system differs from another. */
    DIFFERENCE
  }
}
