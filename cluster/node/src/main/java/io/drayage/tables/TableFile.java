package io.drayage.tables;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/**
 * A file with a table. The kind follows from the name.
 *
 * @param zipped whether it is compressed by gzip
 */
public record TableFile(Path path, Kind kind, boolean zipped) {
  /** The supported endings of file names, for messages. */
  public static final String ENDINGS =
      ".parquet, .csv, .tsv, .json, .jsonl, .ndjson, .arrow or .arrows, those of text also in .gz";

  private static final String ZIPPED = ".gz";

  /** The kind of a file's contents. */
  public enum Kind {
    PARQUET,
    ARROW_FILE,
    ARROW_STREAM,
    CSV,
    TSV,
    JSON,
    JSON_LINES
  }

  private static final Map<String, Kind> KINDS =
      Map.of(
          "parquet", Kind.PARQUET,
          "arrow", Kind.ARROW_FILE,
          "arrows", Kind.ARROW_STREAM,
          "csv", Kind.CSV,
          "tsv", Kind.TSV,
          "json", Kind.JSON,
          "jsonl", Kind.JSON_LINES,
          "ndjson", Kind.JSON_LINES);

  /** Hints for files of other kinds, by their ending. */
  private static final Map<String, String> HINTS =
      Map.ofEntries(
          Map.entry("zst", "decompress it with zstd -d, or compress it by gzip"),
          Map.entry("xz", "decompress it with xz -d, or compress it by gzip"),
          Map.entry("bz2", "decompress it with bzip2 -d, or compress it by gzip"),
          Map.entry("lz4", "decompress it with lz4 -d, or compress it by gzip"),
          Map.entry("zip", "unpack it"),
          Map.entry("tar", "unpack it"),
          Map.entry("tgz", "unpack it"),
          Map.entry("xlsx", "save the sheet as CSV in UTF-8"),
          Map.entry("xls", "save the sheet as CSV in UTF-8"),
          Map.entry("ods", "save the sheet as CSV in UTF-8"),
          Map.entry("feather", "if it is version 2, it is Arrow: name it .arrow"),
          Map.entry("ipc", "name it .arrow, or .arrows if it is a stream"),
          Map.entry("txt", "if it has columns, name it .csv or .tsv"),
          Map.entry("duckdb", "cargo import --database reads it, and --select names its tables"),
          Map.entry(
              "db", "cargo import --database reads DuckDB's, --jdbc jdbc:sqlite:FILE SQLite's"),
          Map.entry("sqlite", "cargo import --jdbc jdbc:sqlite:FILE reads it"),
          Map.entry("avro", "convert it to Parquet"),
          Map.entry("orc", "convert it to Parquet"));

  /**
   * Finds the kind from the name of a file.
   *
   * @throws TableException if the kind is not supported; the message has a hint
   */
  public static TableFile of(Path path) throws TableException {
    Kind kind = KINDS.get(ending(path));
    if (kind == null) {
      throw new TableException("%s: its name must end in %s".formatted(path, ENDINGS + hint(path)));
    }
    if (isZipped(path) && !isText(path)) {
      throw new TableException(
          "%s: decompress it with gzip -d: only text files are read compressed by gzip"
              .formatted(path));
    }
    return new TableFile(path, kind, isZipped(path));
  }

  /** Whether the name is that of a supported table. */
  public static boolean isTable(Path path) {
    return KINDS.containsKey(ending(path));
  }

  /** Whether it is a table in a text file. */
  public static boolean isText(Path path) {
    return isDelimited(path) || isOneOf(path, Kind.JSON, Kind.JSON_LINES);
  }

  /** Whether it is a table in a text file whose values have no types. */
  public static boolean isDelimited(Path path) {
    return isOneOf(path, Kind.CSV, Kind.TSV);
  }

  private static boolean isOneOf(Path path, Kind one, Kind other) {
    Kind kind = KINDS.get(ending(path));
    return kind == one || kind == other;
  }

  /** Returns a hint for a file that is no table, as the end of a message; or an empty text. */
  public static String hint(Path path) {
    String hint = HINTS.get(ending(path));
    return hint == null ? "" : ": " + hint;
  }

  private static boolean isZipped(Path path) {
    return name(path).endsWith(ZIPPED);
  }

  private static String name(Path path) {
    return String.valueOf(path.getFileName()).toLowerCase(Locale.ROOT);
  }

  private static String ending(Path path) {
    String name = name(path);
    String plain = isZipped(path) ? name.substring(0, name.length() - ZIPPED.length()) : name;
    return plain.substring(plain.lastIndexOf('.') + 1);
  }
}
