package io.drayage.duckdb;

import io.drayage.cli.tables.TableException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * How DuckDB is to read a CSV file. Its own guess makes do with a bad row: it takes the whole file
 * for one column, or the lines before the bad one for a preface. Here the first line says how many
 * columns there are, and a guess of another number is none.
 */
final class CsvFile {
  private static final List<String> DELIMITERS = List.of(",", ";", "\t", "|");

  private static final int MAX_FIRST_LINE = 1 << 24;

  /**
   * What is not guessed: a quote after the lines that DuckDB guesses from would be a letter, and a
   * row that begins with {@code #} no row.
   */
  private static final String QUOTES = ", quote = '\"', comment = ''";

  private CsvFile() {}

  /**
   * What stands behind FROM.
   *
   * @throws IOException if a row has another number of columns than the first line, naming it; if
   *     there is no line
   */
  static String from(Sql sql, Path file) throws IOException {
    String first = firstLine(file);
    if (first.isBlank()) {
      throw new TableException("it is empty: its first line should name the columns");
    }
    List<String> guess = guess(sql, file);
    if (guess != null && fits(first, guess)) {
      return read(file, QUOTES);
    }
    String delimiter = delimiter(first, guess);
    String exact = QUOTES + ", delim = %s, escape = '\"', skip = 0".formatted(Sql.text(delimiter));
    String columns =
        IntStream.range(0, columns(first, delimiter.charAt(0)))
            .mapToObj("'c%d': 'VARCHAR'"::formatted)
            .collect(Collectors.joining(", ", "{", "}"));
    // A table, since the failure of a query whose rows are awaited has no reason.
    sql.run(
        "CREATE OR REPLACE TEMP TABLE counted AS SELECT count(*) FROM "
            + read(file, exact + ", auto_detect = false, header = false, columns = " + columns));
    return read(file, exact);
  }

  /** What DuckDB says of a row, without what it would have others try. */
  static TableException reason(Path file, TableException e) {
    String message = String.valueOf(e.getMessage());
    return new TableException(
        file + ": " + message.replaceAll("(; )?; (?i:possible (fixes|solutions?):).*", ""), e);
  }

  private static String read(Path file, String options) {
    return "read_csv(%s, allow_quoted_nulls = false%s)".formatted(Sql.text(file), options);
  }

  /** Delimiter, skipped lines, number of columns; null if it has no guess. */
  private static @Nullable List<String> guess(Sql sql, Path file) throws IOException {
    try {
      return sql.rows(
              "SELECT Delimiter, SkipRows, len(Columns) FROM sniff_csv(%s%s)"
                  .formatted(Sql.text(file), QUOTES))
          .get(0);
    } catch (TableException e) {
      return null;
    }
  }

  private static boolean fits(String first, List<String> guess) {
    int columns = Integer.parseInt(guess.get(2));
    int found =
        columns == 1
            ? columns(first, delimiter(first, null).charAt(0))
            : columns(first, guess.get(0).charAt(0));
    return guess.get(1).equals("0") && found == columns;
  }

  /** The one that makes the most columns of a line; the guessed one where none makes two. */
  private static String delimiter(String line, @Nullable List<String> guess) {
    String most = guess == null || guess.get(0).length() != 1 ? "," : guess.get(0);
    for (String each : DELIMITERS) {
      if (columns(line, each.charAt(0)) > columns(line, most.charAt(0))) {
        most = each;
      }
    }
    return most;
  }

  private static int columns(String line, char delimiter) {
    int columns = 1;
    boolean quoted = false;
    for (int i = 0; i < line.length(); i++) {
      char each = line.charAt(i);
      quoted ^= each == '"';
      columns += each == delimiter && !quoted ? 1 : 0;
    }
    return columns;
  }

  /** The first that is not empty, with the lines that its quotes go on in. */
  private static String firstLine(Path file) throws IOException {
    boolean zipped = file.toString().toLowerCase(Locale.ROOT).endsWith(".gz");
    try (InputStream bytes = Files.newInputStream(file);
        InputStream in = zipped ? new GZIPInputStream(bytes) : bytes;
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      StringBuilder first = new StringBuilder();
      boolean isBlank = true;
      long quotes = 0;
      String line = lines.readLine();
      while (line != null && first.length() < MAX_FIRST_LINE) {
        first.append(line);
        isBlank &= line.isBlank();
        quotes += line.chars().filter(c -> c == '"').count();
        if (!isBlank && quotes % 2 == 0) {
          break;
        }
        line = lines.readLine();
      }
      return first.toString();
    }
  }
}
