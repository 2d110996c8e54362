package io.drayage.duckdb.file;

import io.drayage.tables.TableException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/**
 * A file of a table, of the kind that its name says.
 *
 * @param zipped whether it is compressed by gzip
 */
public record TableFile(Path path, Kind kind, boolean zipped) {
  private static final String DATABASE_MAGIC = "DUCK";
  private static final int DATABASE_MAGIC_OFFSET = 8;
  private static final String ENDINGS =
      ".parquet, .csv, .tsv, .json, .jsonl, .ndjson, .arrow or .arrows";

  /** What is in it. */
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

  /** What can be done about others. */
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
          Map.entry("duckdb", "--database reads it, and --select names its tables"),
          Map.entry("db", "--database reads DuckDB's, --jdbc jdbc:sqlite:FILE SQLite's"),
          Map.entry("sqlite", "--jdbc jdbc:sqlite:FILE reads it"),
          Map.entry("avro", "convert it to Parquet"),
          Map.entry("orc", "convert it to Parquet"));

  /**
   * Tells by its name.
   *
   * @throws TableException if it is of another kind, saying what can be done
   */
  public static TableFile of(Path path) throws TableException {
    String name = String.valueOf(path.getFileName()).toLowerCase(Locale.ROOT);
    boolean zipped = name.endsWith(".gz");
    String plain = zipped ? name.substring(0, name.length() - ".gz".length()) : name;
    String ending = plain.substring(plain.lastIndexOf('.') + 1);
    Kind kind = KINDS.get(ending);
    if (kind == null) {
      String hint = HINTS.get(ending);
      throw new TableException(
          "%s: its name must end in %s, those of text also in .gz%s"
              .formatted(path, ENDINGS, hint == null ? "" : ": " + hint));
    }
    if (zipped && !isText(kind)) {
      throw new TableException(
          "%s: decompress it with gzip -d: only text files are read compressed by gzip"
              .formatted(path));
    }
    return new TableFile(path, kind, zipped);
  }

  private static boolean isText(Kind kind) {
    return switch (kind) {
      case CSV, TSV, JSON, JSON_LINES -> true;
      case PARQUET, ARROW_FILE, ARROW_STREAM -> false;
    };
  }

  /** How it is written, if it is a text file. */
  public TextFormat format() {
    return switch (kind) {
      case CSV -> TextFormat.CSV;
      case TSV -> TextFormat.TSV;
      case JSON -> TextFormat.JSON;
      case JSON_LINES -> TextFormat.JSON_LINES;
      default -> throw new IllegalStateException(path + " is no text");
    };
  }

  /**
   * Requires that a file is a database of DuckDB.
   *
   * @throws TableException if it is something else, saying what
   */
  public static void requireDatabase(Path file) throws IOException {
    byte[] start;
    try (InputStream in = Files.newInputStream(file)) {
      start = in.readNBytes(DATABASE_MAGIC_OFFSET + DATABASE_MAGIC.length());
    }
    String text = new String(start, StandardCharsets.ISO_8859_1);
    if (!text.startsWith(DATABASE_MAGIC, DATABASE_MAGIC_OFFSET)) {
      throw new TableException(
          "%s: it is no database of DuckDB%s"
              .formatted(
                  file,
                  text.startsWith("SQLite")
                      ? ", but of SQLite: --jdbc jdbc:sqlite:%s --jdbc-driver JAR reads it"
                          .formatted(file)
                      : ""));
    }
  }
}
