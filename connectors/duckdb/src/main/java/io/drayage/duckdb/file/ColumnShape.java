package io.drayage.duckdb.file;

import static io.drayage.internal.Texts.format;

import io.drayage.internal.Counted;
import io.drayage.tables.TableException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds a type that fits all values of a column. In CSV, values of several types become texts, and
 * a note names the line that caused it. In JSON, which states the type of a value, they are
 * refused. Not thread-safe.
 */
final class ColumnShape {
  private static final int MICROS_DIGITS = 6;

  /** The kind of a value, by its text. */
  private enum Family {
    NUMBER,
    BOOLEAN,
    MOMENT,
    TEXT
  }

  private final Path file;
  private final String name;
  private final String declared;
  private final boolean isJson;

  /** Whether dates may have another format than ISO 8601. */
  private final boolean hasFormats;

  /** The formats that fit all dates and times so far. */
  private List<MomentFormat> formats;

  private final NumberFacts numbers = new NumberFacts();
  private final Moment moment = new Moment();
  private @Nullable Family family;
  private Moment.@Nullable Shape shape;
  private int mostFractionDigits;
  private boolean allFitNanos = true;
  private String note = "";

  /** The note for the case that the first value of CSV is the only text. */
  private String firstNote = "";

  /**
   * Creates a column without values.
   *
   * @param declared its type from the user; an empty text to find it
   */
  ColumnShape(Path file, String name, String declared, boolean isJson, List<MomentFormat> formats) {
    this.file = file;
    this.name = name;
    this.declared = declared;
    this.isJson = isJson;
    this.formats = formats;
    this.hasFormats = formats.size() > 1;
  }

  /**
   * Adds the value of the next row.
   *
   * @throws TableException if JSON has another type than before, or an impossible one
   */
  void add(Cell value) throws TableException {
    if (value.kind == Cell.Kind.NULL) {
      return;
    }
    if (family == Family.TEXT && !isJson) {
      addToTexts(value);
      return;
    }
    if (!declared.isEmpty()) {
      narrow(value);
      return;
    }
    Family found = isJson ? ofJson(value) : ofText(value);
    if (family == null) {
      family = found;
      firstNote = found == Family.TEXT ? madeTextBy(value) : "";
    } else if (family != found) {
      if (isJson) {
        throw wrong(
            value.line,
            "%s is %s, where the rows before have %s"
                .formatted(
                    found == Family.TEXT ? "'" + value.shown() + "'" : value.shown(),
                    said(found),
                    said(family)));
      }
      makeText(value);
    }
  }

  /** Keeps formats that fit all values. Otherwise a day could be a month in the next row. */
  private void narrow(Cell value) throws TableException {
    if (hasFormats && (declared.startsWith("DATE") || declared.startsWith("TIME"))) {
      List<MomentFormat> fitting =
          formats.stream().filter(format -> format.read(value, moment)).toList();
      if (fitting.isEmpty()) {
        throw new TableException(
            format(
                "%s, line %,d, column '%s': '%s' does not have the format %s of the rows before",
                file, value.line, name, value.shown(), formats));
      }
      formats = fitting;
    }
  }

  private void makeText(Cell value) {
    note = madeTextBy(value);
    family = Family.TEXT;
  }

  private static String madeTextBy(Cell value) {
    return format("text by line %,d: '%s'", value.line, value.shown());
  }

  /** Compares the second value: a second line of names or of units differs from it. */
  private void addToTexts(Cell second) {
    if (!firstNote.isEmpty()) {
      family = null;
      note = ofText(second) == Family.TEXT ? "" : firstNote;
      firstNote = "";
      family = Family.TEXT;
    }
  }

  private static String said(Family family) {
    return switch (family) {
      case NUMBER -> "a number";
      case BOOLEAN -> "a boolean";
      case MOMENT, TEXT -> "a text";
    };
  }

  private Family ofJson(Cell value) throws TableException {
    switch (value.kind) {
      case NUMBER -> {
        numbers.read(value, true);
        numbers.add(value);
        return Family.NUMBER;
      }
      case BOOLEAN -> {
        return Family.BOOLEAN;
      }
      case NESTED -> throw wrong(value.line, "a cargo cannot hold nested values: " + value.shown());
      default -> {
        return Family.TEXT;
      }
    }
  }

  private Family ofText(Cell value) {
    if ((family == null || family == Family.NUMBER) && numbers.read(value, false)) {
      numbers.add(value);
      return Family.NUMBER;
    }
    if ((family == null || family == Family.MOMENT) && isMoment(value)) {
      return Family.MOMENT;
    }
    return value.is("true") || value.is("false") ? Family.BOOLEAN : Family.TEXT;
  }

  private boolean isMoment(Cell value) {
    if (formats.size() == 1) {
      if (!fits(formats.get(0), value)) {
        return false;
      }
    } else {
      List<MomentFormat> fitting = formats.stream().filter(format -> fits(format, value)).toList();
      if (fitting.isEmpty()) {
        return false;
      }
      formats = fitting;
      fits(formats.get(0), value);
    }
    shape = moment.shape;
    mostFractionDigits = Math.max(mostFractionDigits, moment.fractionDigits);
    allFitNanos &= moment.fitsNanos();
    return true;
  }

  private boolean fits(MomentFormat format, Cell value) {
    return format.read(value, moment) && (shape == null || shape == moment.shape);
  }

  /**
   * Returns the type of all values.
   *
   * @throws TableException if no type keeps each number exactly
   */
  TextTable.Column column() throws TableException {
    if (!declared.isEmpty()) {
      return typed(declared);
    }
    if (family == null) {
      return text();
    }
    return switch (family) {
      case TEXT -> text();
      case BOOLEAN -> typed("BOOLEAN");
      case NUMBER -> number();
      case MOMENT -> moment();
    };
  }

  private TextTable.Column typed(String type) {
    return new TextTable.Column(name, type, note, formats);
  }

  private TextTable.Column text() {
    return typed("VARCHAR");
  }

  private TextTable.Column number() throws TableException {
    String type = numbers.type();
    if (type != null) {
      return typed(type);
    }
    if (isJson || !numbers.isOfIntegers()) {
      throw wrong(numbers.misfitLine(), numbers.misfit());
    }
    note = format("text by line %,d: %s", numbers.misfitLine(), numbers.misfit());
    return text();
  }

  private TextTable.Column moment() {
    boolean hasNanos = mostFractionDigits > MICROS_DIGITS;
    String type =
        switch (shape == null ? Moment.Shape.DATE : shape) {
          case DATE -> "DATE";
          case TIME -> hasNanos ? "" : "TIME";
          case DATE_AND_TIME -> !hasNanos ? "TIMESTAMP" : allFitNanos ? "TIMESTAMP_NS" : "";
          case WITH_OFFSET -> hasNanos ? "" : "TIMESTAMP WITH TIME ZONE";
        };
    if (type.isEmpty()) {
      note = "text, because a second has " + Counted.of(mostFractionDigits, "digit");
      return text();
    }
    note = formats.get(0) == MomentFormat.ISO ? "" : "as " + formats.get(0);
    return typed(type);
  }

  private TableException wrong(long line, String what) {
    return new TableException(
        format(
            "%s, line %,d, column '%s': %s; --types '%s=VARCHAR' keeps the text",
            file, line, name, what, name));
  }
}
