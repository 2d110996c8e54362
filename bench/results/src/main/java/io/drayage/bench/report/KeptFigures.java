package io.drayage.bench.report;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import io.drayage.bench.result.Status;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Checks that the figures of a result's file are valid for calculations: every ratio of two of them
 * is a finite number, and no run contradicts itself.
 *
 * @param file that is named if the check fails
 */
record KeptFigures(Path file) {
  /** A figure of a run, with its allowed values. */
  private record Figure(String field, double min, double max, String unit) {
    private static Figure seconds(String field) {
      return new Figure(field, NANOSECOND, MANY_YEARS, " s");
    }

    private static Figure bytes(String field, double min) {
      return new Figure(field, min, Long.MAX_VALUE, " bytes");
    }

    private boolean allows(JsonNode value) {
      return value.isNumber() && value.doubleValue() >= min && value.doubleValue() <= max;
    }
  }

  /** The least time in seconds: the resolution of a clock. */
  private static final double NANOSECOND = 1e-9;

  private static final double MANY_YEARS = 1e9;

  /** Figures of every run that did not fail. */
  private static final List<Figure> NEEDED =
      List.of(Figure.bytes("rawBytes", 1), Figure.bytes("wireBytes", 1), Figure.seconds("sqS"));

  /** Figures that are null if they were not measured. */
  private static final List<Figure> OPTIONAL =
      List.of(
          Figure.seconds("commitS"),
          Figure.seconds("downloadedCommitS"),
          new Figure("cpuS", 0, MANY_YEARS, " s"),
          Figure.bytes("workerPeakBytes", 0),
          Figure.bytes("transactorPeakBytes", 0));

  /** Texts that Jackson accepts as numbers. */
  private static final Set<String> NO_NUMBERS =
      Set.of("NaN", "Infinity", "-Infinity", "INF", "-INF");

  /**
   * Checks the figures.
   *
   * @throws IOException if one is invalid: it names file, system, field and value
   */
  void require(JsonNode root) throws IOException {
    Set<String> summed = new HashSet<>();
    root.path("summary").forEach(summary -> summed.add(summary.path("system").asText()));
    Set<List<JsonNode>> turns = new HashSet<>();
    for (JsonNode run : root.path("runs")) {
      requireRun(run);
      if (isOk(run)
          && !turns.add(List.of(run.path("system"), run.path("group"), run.path("iteration")))) {
        throw new IOException("%s: %s is there twice".formatted(file, turn(run)));
      }
      if (!summed.contains(run.path("system").asText())) {
        throw new IOException("%s: %s lacks figures: its summary".formatted(file, turn(run)));
      }
    }
    requireFinite(JsonPointer.empty(), root);
  }

  private void requireRun(JsonNode run) throws IOException {
    if (!run.path("system").isTextual() || !run.path("phases").isObject()) {
      throw new IOException(
          "%s has a run that lacks figures: its system, or phases".formatted(file));
    }
    requireConsistent(run);
    boolean hasFailed = !isOk(run);
    for (Figure figure : NEEDED) {
      if (isThere(run, figure)) {
        requireAllowed(run, figure);
      } else if (!hasFailed) {
        throw new IOException(
            "%s: %s lacks figures: neither %s nor an error"
                .formatted(file, turn(run), figure.field));
      }
    }
    for (Figure figure : OPTIONAL) {
      if (isThere(run, figure)) {
        requireAllowed(run, figure);
      }
    }
  }

  private static boolean isOk(JsonNode run) {
    return run.path("status").asText().equals(Status.OK.toString());
  }

  /** Requires that the run went well in every respect, or failed for a reason. */
  private void requireConsistent(JsonNode run) throws IOException {
    boolean hasError = run.path("error").isTextual();
    JsonNode iteration = run.path("iteration");
    if (!isOk(run) && !run.path("status").asText().equals(Status.FAILED.toString())) {
      throw contradiction(run, "status", "it must be ok or failed");
    } else if (!isOk(run) && !hasError) {
      throw contradiction(run, "status", "the run has no error");
    } else if (isOk(run) && hasError) {
      throw contradiction(run, "error", "the run is ok");
    } else if (isOk(run) && !run.path("digestOk").asBoolean()) {
      throw contradiction(run, "digestOk", "the run is ok, so it must be true");
    } else if (!iteration.isInt() || iteration.intValue() < (isOk(run) ? 1 : 0)) {
      throw contradiction(run, "iteration", "it must be a whole number from 1");
    }
  }

  private IOException contradiction(JsonNode run, String field, String why) {
    return new IOException(
        "%s: %s of %s is %s: %s".formatted(file, field, turn(run), run.path(field), why));
  }

  private static boolean isThere(JsonNode run, Figure figure) {
    return !run.path(figure.field).isMissingNode() && !run.path(figure.field).isNull();
  }

  private void requireAllowed(JsonNode run, Figure figure) throws IOException {
    JsonNode value = run.path(figure.field);
    if (!figure.allows(value)) {
      throw new IOException(
          "%s: %s of %s is %s: it must be from %s to %s%s"
              .formatted(
                  file,
                  figure.field,
                  turn(run),
                  value,
                  text(figure.min),
                  text(figure.max),
                  figure.unit));
    }
  }

  private static String turn(JsonNode run) {
    return "%s, iteration %s,".formatted(run.path("system").asText(), run.path("iteration"));
  }

  private static String text(double limit) {
    return limit == (int) limit ? Integer.toString((int) limit) : Double.toString(limit);
  }

  private void requireFinite(JsonPointer at, JsonNode node) throws IOException {
    boolean isWrong =
        (node.isNumber() && !Double.isFinite(node.doubleValue()))
            || (node.isTextual() && NO_NUMBERS.contains(node.asText()));
    if (isWrong) {
      throw new IOException("%s: %s is %s: no finite number".formatted(file, at, node));
    }
    if (node.isArray()) {
      for (int index = 0; index < node.size(); index++) {
        requireFinite(at.appendIndex(index), node.path(index));
      }
    }
    for (Map.Entry<String, JsonNode> member : node.properties()) {
      requireFinite(at.appendProperty(member.getKey()), member.getValue());
    }
  }
}
