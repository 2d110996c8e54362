package io.drayage.bench.compare;

import static io.drayage.internal.Texts.format;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What counts as a regression: {@code sq +5%}.
 *
 * @param percent how much more is too much
 */
public record FailIf(Metric metric, double percent) {
  private static final Pattern FORM =
      Pattern.compile("\\s*([a-z]+)\\s*\\+(\\d+(?:\\.\\d+)?)\\s*%\\s*");

  /**
   * Reads one.
   *
   * @throws IllegalArgumentException that tells what to write instead
   */
  public static FailIf parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'%s' is no condition: write METRIC +N%%, such as 'sq +5%%'; less is better of all metrics"
              .formatted(text));
    }
    return new FailIf(Metric.ofName(matcher.group(1)), Double.parseDouble(matcher.group(2)));
  }

  /** Whether a difference is larger, and none that chance explains. */
  public boolean isMetBy(Difference difference) {
    return difference.metric() == metric
        && difference.isSignificant()
        && difference.changePercent() > percent;
  }

  /** Several of them, as users write them. */
  public static String text(List<FailIf> conditions) {
    return conditions.stream().map(FailIf::toString).collect(Collectors.joining(", "));
  }

  @Override
  public String toString() {
    return format("%s +%s%%", metric, Double.toString(percent).replaceAll("\\.0$", ""));
  }
}
