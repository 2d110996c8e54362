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

  /** The limit of lines of names or units below the first line. */
  private static final int MAX_NAME_LINES = 2;

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
  private List<FittingFormat> formats;

  private final NumberFacts numbers = new NumberFacts();
  private @Nullable Family family;
  private String note = "";

  /** The note for the case that only the first values of CSV are texts. */
  private String firstNote = "";

  private int firstTexts;

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
    this.formats = formats.stream().map(FittingFormat::new).toList();
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
      firstTexts = 1;
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

  private void narrow(Cell value) throws TableException {
    if (hasFormats && isMomentDeclared() && !keepFitting(value, false)) {
      throw new TableException(
          format(
              "%s, line %,d, column '%s': '%s' does not have the format %s of the rows before",
              file, value.line, name, value.shown(), formats));
    }
  }

  private boolean isMomentDeclared() {
    return declared.startsWith("DATE") || declared.startsWith("TIME");
  }

  /**
   * Keeps the formats that also fit a value. Otherwise a day could be a month in the next row.
   *
   * @param hasOneShape whether all values must have the same parts
   * @return false if none does
   */
  private boolean keepFitting(Cell value, boolean hasOneShape) {
    List<FittingFormat> fitting = formats;
    if (formats.size() > 1) {
      fitting = formats.stream().filter(each -> each.fits(value, hasOneShape)).toList();
    } else if (!formats.get(0).fits(value, hasOneShape)) {
      return false;
    }
    if (fitting.isEmpty()) {
      return false;
    }
    formats = fitting;
    for (int i = 0; i < formats.size(); i++) { // Most columns have one format and many values.
      formats.get(i).add();
      for (int j = i + 1; j < formats.size(); j++) {
        formats.get(i).compare(formats.get(j), value);
      }
    }
    return true;
  }

  private void makeText(Cell value) {
    note = madeTextBy(value);
    family = Family.TEXT;
  }

  private static String madeTextBy(Cell value) {
    return format("text by line %,d: '%s'", value.line, value.shown());
  }

  /** Compares the values after the first one: further lines of names or of units differ from it. */
  private void addToTexts(Cell value) {
    if (!firstNote.isEmpty()) {
      family = null;
      boolean isText = ofText(value) == Family.TEXT;
      family = Family.TEXT;
      note = isText ? "" : firstNote;
      firstNote = isText && ++firstTexts <= MAX_NAME_LINES ? firstNote : "";
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
    if ((family == null || family == Family.MOMENT) && keepFitting(value, true)) {
      return Family.MOMENT;
    }
    return value.is("true") || value.is("false") ? Family.BOOLEAN : Family.TEXT;
  }

  /**
   * Returns the type of all values.
   *
   * @throws TableException if no type keeps each number exactly, or dates have several meanings
   */
  TextTable.Column column() throws TableException {
    if (!declared.isEmpty()) {
      return isMomentDeclared() ? moment(declared) : typed(declared);
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
    return new TextTable.Column(name, type, note, MomentFormat.ISO);
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

  private TextTable.Column moment() throws TableException {
    FittingFormat first = formats.get(0);
    boolean hasNanos = first.mostFractionDigits() > MICROS_DIGITS;
    String type =
        switch (first.shape()) {
          case DATE -> "DATE";
          case TIME -> hasNanos ? "" : "TIME";
          case DATE_AND_TIME -> !hasNanos ? "TIMESTAMP" : first.allFitNanos() ? "TIMESTAMP_NS" : "";
          case WITH_OFFSET -> hasNanos ? "" : "TIMESTAMP WITH TIME ZONE";
        };
    if (type.isEmpty()) {
      note = "text, because a second has " + Counted.of(first.mostFractionDigits(), "digit");
      return text();
    }
    return moment(type);
  }

  /** Returns a column of dates or times, all of which have the first format that fits. */
  private TextTable.Column moment(String type) throws TableException {
    FittingFormat first = formats.get(0);
    for (FittingFormat other : formats) {
      FittingFormat.Difference difference = first.differenceFrom(other);
      if (difference != null) {
        throw wrong(
            difference.line(),
            "'%s' is another time by %s than by %s, and both fit all rows: leave out a --dates, or read the column by strptime in a --select"
                .formatted(difference.shown(), first, other));
      }
    }
    MomentFormat format = first.format();
    return new TextTable.Column(
        name, type, format == MomentFormat.ISO ? "" : "as " + format, format);
  }

  private TableException wrong(long line, String what) {
    return new TableException(
        format(
            "%s, line %,d, column '%s': %s; --types '%s=VARCHAR' keeps the text",
            file, line, name, what, name));
  }
}
