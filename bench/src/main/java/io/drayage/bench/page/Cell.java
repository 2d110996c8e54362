package io.drayage.bench.page;

import org.jspecify.annotations.Nullable;

/**
 * One cell of a table. Immutable.
 *
 * @param text as it is shown
 * @param value what it is sorted by and copied as; null if that is the text
 * @param share the length of a bar below the text, 0 to 1; null without a bar
 * @param wraps whether a long text may take several lines
 * @param isNone whether there is nothing, which is sorted last
 */
public record Cell(
    String text,
    @Nullable Double value,
    @Nullable Double share,
    Tone tone,
    boolean wraps,
    boolean isNone) {
  /** Nothing was measured. */
  public static final Cell NONE = new Cell("–", null, null, Tone.PLAIN, false, true);

  /** A text in one line. */
  public static Cell text(String text) {
    return new Cell(text, null, null, Tone.PLAIN, false, false);
  }

  /** A long text, such as an error. */
  public static Cell longText(String text) {
    return new Cell(text, null, null, Tone.PLAIN, true, false);
  }

  /** A number as it is shown, with all that is known of it. */
  public static Cell number(double value, String shown) {
    return new Cell(shown, value, null, Tone.PLAIN, false, false);
  }

  /** The same with a bar below. */
  public Cell bar(double newShare) {
    return new Cell(text, value, Math.max(0, Math.min(1, newShare)), tone, wraps, isNone);
  }

  /** The same, to be seen otherwise. */
  public Cell tone(Tone newTone) {
    return new Cell(text, value, share, newTone, wraps, isNone);
  }

  String toHtml(boolean numeric) {
    StringBuilder classes = new StringBuilder();
    add(classes, numeric, "n");
    add(classes, wraps, "wrap");
    add(classes, isNone, "none");
    add(classes, tone != Tone.PLAIN, tone.cssClass());
    String className = classes.isEmpty() ? "" : " class=\"%s\"".formatted(classes);
    String data = value == null ? "" : " data-v=\"%s\"".formatted(number(value));
    String bar =
        share == null
            ? ""
            : "<span class=\"bar\"><i style=\"width:%d%%\"></i></span>"
                .formatted(Math.round(100 * share));
    return "<td%s%s>%s%s</td>".formatted(className, data, Html.escape(text), bar);
  }

  private static void add(StringBuilder classes, boolean applies, String name) {
    if (applies) {
      classes.append(classes.isEmpty() ? "" : " ").append(name);
    }
  }

  private static String number(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Double.toString(value);
  }
}
