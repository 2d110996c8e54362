package io.drayage.study;

/**
 * One figure.
 *
 * @param experiment what was measured; parts of the name are separated by slashes
 * @param system what it was measured of
 * @param unit of the value
 * @param value the figure
 */
public record Measurement(String experiment, String system, String unit, double value) {
  /** One JSON object, without a line break. */
  public String json() {
    return "{\"experiment\":%s,\"system\":%s,\"unit\":%s,\"value\":%s}"
        .formatted(quoted(experiment), quoted(system), quoted(unit), Double.toString(value));
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
