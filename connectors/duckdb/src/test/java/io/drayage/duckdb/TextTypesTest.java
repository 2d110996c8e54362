package io.drayage.duckdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.tables.DeclaredTypes;
import io.drayage.tables.ImportPlan;
import io.drayage.tables.ImportedTables;
import io.drayage.tables.TableException;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TimeZone;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Columns of CSV and JSON have a type that fits all of their rows, and changes no value. */
@Timeout(180)
final class TextTypesTest {
  @TempDir private Path folder;

  private static Imported read(Path file) throws IOException {
    return read(file, DeclaredTypes.NONE);
  }

  private static Imported read(Path file, DeclaredTypes types) throws IOException {
    return Imported.text(file, types);
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  @ParameterizedTest
  @CsvFileSource(resources = "texts.txt", delimiter = '!', quoteCharacter = '`')
  void isReadOrRefusedAsTheTableSays(String file, String text, String outcome) throws Exception {
    String[] named = file.split(" ", 2);
    String[] type = named.length == 1 ? new String[0] : named[1].split("=", 2);
    DeclaredTypes types =
        new DeclaredTypes(
            type.length == 2 ? Map.of(type[0], type[1]) : Map.of(),
            type.length == 1 ? List.of(named[1]) : List.of());
    for (Path each : files(named[0], text)) {
      String told =
          told(each, types, outcome).replaceAll(named[0].endsWith("*") ? "\\R" : "\n", "~");
      told = told.replace('\r', '^');
      if (outcome.endsWith("...")) {
        assertThat(told).as("%s", each).startsWith(outcome.substring(0, outcome.length() - 3));
      } else {
        assertThat(told).as("%s", each).isEqualTo(outcome);
      }
    }
  }

  /** Returns the result of a file, in the format of an outcome. */
  private static String told(Path file, DeclaredTypes types, String outcome) throws IOException {
    String last = "";
    String told;
    try {
      Imported read = read(file, types);
      if (outcome.startsWith("{")) {
        return read.values().toString();
      }
      last = outcome.contains(" => ") ? " => " + read.last() : "";
      told = String.join("; ", read.columns());
    } catch (TableException e) {
      assertThat(e).hasMessageStartingWith(file.toString());
      told = e.getMessage().substring(file.toString().length());
    }
    // Text of a file must not control the terminal or begin a line, and must not name Java classes.
    assertThat(told).doesNotContain("\u001b", "\n", "JsonReadFeature", "JsonParser", "Source", "`");
    return told + last;
  }

  /** Returns the file, or files with the same meaning. */
  private List<Path> files(String name, String text) throws IOException {
    String lines = text.replace("ESC", "\u001b").replace("BOM", "\ufeff").replace('>', '\t');
    lines = lines.replace("DEEP", "[".repeat(1_001)).replace('^', '\r').replace('~', '\n');
    List<Path> files = new ArrayList<>();
    if (name.equals("t.json*")) {
      for (String ending : List.of("jsonl", "ndjson", "json")) {
        files.add(file("t." + ending, lines));
      }
      files.add(file("array.json", "[" + String.join(",\n", lines.lines().toList()) + "]"));
    } else if (name.equals("t.csv*")) {
      for (String end : List.of("\n", "\r\n", "\r")) {
        for (String mark : List.of("", "\ufeff")) {
          for (String last : List.of("", end)) {
            files.add(file(files.size() + ".csv", mark + lines.replace("\n", end) + last));
          }
        }
      }
      files.add(zipped("t.csv.gz", lines + "\n"));
    } else {
      files.add(file(name, lines));
    }
    return files;
  }

  /** The text would reach the terminal. */
  @Test
  void showsControlCharactersByTheirNumbers() throws Exception {
    Path file = Files.writeString(folder.resolve("t.csv"), "a\n1\n\u001b[31mred\u001b]0;x\u0007\n");
    assertThat(Imported.text(file, DeclaredTypes.NONE).columns())
        .containsExactly(
            "t.a: VARCHAR -> STRING, text by line 3: '\\u001B[31mred\\u001B]0;x\\u0007'");
    assertThatThrownBy(
            () -> Imported.text(file, new DeclaredTypes(Map.of("a", "BIGINT"), List.of())))
        .hasMessageContaining("'\\u001B[31mred\\u001B]0;x\\u0007'");
    assertThatThrownBy(() -> Imported.select("SELECT error('a' || chr(27) || chr(10))"))
        .hasMessageContaining("a\\u001B");
  }

  @Test
  void whatADoubleSaysBecomesThatDouble() throws Exception {
    long seed = 58;
    Random random = new Random(seed);
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      int digits = 1 + random.nextInt(15);
      long value = random.nextLong() % (long) Math.pow(10, digits);
      texts.add(BigDecimal.valueOf(value, 1 + random.nextInt(20)).toPlainString());
      double drawn = (random.nextDouble() - 0.5) * Math.pow(10, random.nextInt(8));
      texts.add(new BigDecimal(Double.toString(drawn)).toPlainString());
      texts.add(new BigDecimal(drawn).round(new MathContext(17)).toPlainString());
    }
    Imported read = read(file("t.csv", "a\n" + String.join("\n", texts) + "\n"));
    assertThat(read.type()).isEqualTo("DOUBLE -> DOUBLE");
    assertThat(read.only())
        .as("seed %d", seed)
        .isEqualTo(texts.stream().map(text -> Double.toString(Double.parseDouble(text))).toList());
  }

  /** Two such fractions may have the same DOUBLE. */
  @Test
  void aFractionThatItsDoubleDoesNotSayIsNone() throws Exception {
    long seed = 59;
    Random random = new Random(seed);
    int kept = 0;
    for (int i = 0; i < 400; i++) {
      int digits = 16 + random.nextInt(2);
      long first = (long) Math.pow(10, digits - 1);
      BigDecimal value =
          BigDecimal.valueOf(first + (random.nextLong() >>> 1) % (9 * first), random.nextInt(26));
      BigDecimal said =
          new BigDecimal(value.doubleValue())
              .round(
                  new MathContext(value.stripTrailingZeros().precision(), RoundingMode.HALF_EVEN));
      boolean isDouble = said.compareTo(value) == 0;
      String text = (random.nextBoolean() ? "-" : "") + value.toPlainString();
      Path json = file("t.jsonl", "{\"a\":0.5}\n{\"a\":" + text + "}\n{\"a\":1e9}\n");
      if (isDouble) {
        assertThat(read(json).type()).as(text).isEqualTo("DOUBLE -> DOUBLE");
        kept++;
      } else {
        assertThatThrownBy(() -> read(json))
            .as("%s, seed %d", text, seed)
            .hasMessageContaining("line 2, column 'a': " + text + " has more digits than a DOUBLE");
      }
    }
    assertThat(kept).isBetween(100, 300);
  }

  /** DuckDB decides by the first 20,480 rows. */
  @ParameterizedTest
  @CsvSource({
    "7, 1.5, DOUBLE, 1.5",
    "7, 007, VARCHAR, 007",
    "7, 0x1F, VARCHAR, 0x1F",
    "7, 1_000, VARCHAR, 1_000",
    "2026-01-31, 2026-01-31 10:00:00, VARCHAR, 2026-01-31 10:00:00",
    "true, 7, VARCHAR, 7"
  })
  void noSampleDecides(String before, String last, String type, String value) throws Exception {
    int many = 20_500;
    Imported read = read(file("t.csv", "a\n" + (before + "\n").repeat(many) + last + "\n"));
    assertThat(read.type()).startsWith(type + " -> ");
    assertThat(read.only()).hasSize(many + 1).last().isEqualTo(value);
    Path json =
        file("t.jsonl", "{\"a\":7}\n".repeat(many) + "{\"a\":1.5}\n{\"a\":8}\n{\"a\":true}\n");
    assertThatThrownBy(() -> read(json))
        .hasMessageStartingWith(
            json
                + ", line 20,503, column 'a': true is a boolean, where the rows before have a number");
  }

  @Test
  void keepsEachKeyOfJsonAsAColumn() throws Exception {
    StringBuilder row = new StringBuilder();
    for (int i = 0; i < 250; i++) {
      row.append(i == 0 ? "{" : ",").append("\"k").append(i).append("\":").append(i);
    }
    Imported wide = read(file("t.jsonl", row + "}\n"));
    assertThat(wide.columns()).hasSize(250).last().isEqualTo("t.k249: BIGINT -> LONG");
  }

  private Path zipped(String name, String text) throws IOException {
    return Files.write(folder.resolve(name), ZippedTextTest.zipped(text));
  }

  /** Some languages have other digits, or another i. */
  @Test
  void readsTheSameInAnyLanguage() throws Exception {
    Path file = file("t.csv", "i,d,t\n1,0.5,2026-01-01\n2,0.123456789012345678,2026-01-02\n");
    DeclaredTypes types = new DeclaredTypes(Map.of("i", "decimal(9, 2)"), List.of());
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.ROOT);
      Imported root = Imported.file(file, types);
      for (String language : List.of("ar-EG", "fa-IR", "tr-TR", "de-DE", "th-TH-u-nu-thai")) {
        Locale.setDefault(Locale.forLanguageTag(language));
        assertThat(Imported.file(file, types).digest()).as(language).isEqualTo(root.digest());
      }
    } finally {
      Locale.setDefault(before);
    }
  }

  /** Runs in several time zones of the machine: a time without an offset is not a point in time. */
  @Test
  @Tag("ci")
  void readsTimesInNoZoneOfTheMachine() throws Exception {
    Path file =
        file(
            "t.csv", "a,b,c\n2026-03-29 02:30:00,2026-03-29 02:30:00Z,2026-03-29T02:30:00+02:00\n");
    TimeZone before = TimeZone.getDefault();
    try {
      Imported utc = Imported.file(file);
      for (String zone : List.of("Asia/Kathmandu", "America/St_Johns", "Europe/Berlin")) {
        TimeZone.setDefault(TimeZone.getTimeZone(zone));
        assertThat(Imported.file(file)).isEqualTo(utc);
        assertThat(
                Imported.select(
                        "SELECT TIMESTAMPTZ '2026-03-29 02:30:00' AS t, strftime(TIMESTAMPTZ '2026-03-29 00:00:00Z', '%H') AS h")
                    .values())
            .hasToString("{t=[1774751400000000], h=[00]}");
      }
    } finally {
      TimeZone.setDefault(before);
    }
  }

  @Test
  void readsAllDatesOfAColumnByOneFormat() throws Exception {
    DeclaredTypes both = new DeclaredTypes(Map.of("a", "DATE"), List.of("%d/%m/%Y", "%m/%d/%Y"));
    Path file = file("t.csv", "a\n01/02/2026\n12/31/2026\n");
    assertThat(read(file, both).only()).containsExactly("20455", "20818");
    assertThat(read(file, both).columns())
        .containsExactly("t.a: DATE -> INT, days since 1970, as %m/%d/%Y");
    Path mixed = file("t.csv", "a\n31/12/2026\n01/02/2026\n12/31/2026\n");
    assertThatThrownBy(() -> read(mixed, both))
        .hasMessage(
            "%s, line 4, column 'a': '12/31/2026' does not have the format [%%d/%%m/%%Y] of the rows before",
            mixed);
    assertThatThrownBy(() -> read(file, new DeclaredTypes(Map.of(), List.of("%d/%m/%y"))))
        .hasMessageStartingWith("'%d/%m/%y' is no format of dates: write it with %Y (four digits)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"csv", "jsonl"})
  void refusesDatesThatTwoFormatsOfTheUserReadAsTwoDays(String ending) throws Exception {
    DeclaredTypes both = new DeclaredTypes(Map.of("a", "DATE"), List.of("%d/%m/%Y", "%m/%d/%Y"));
    boolean isCsv = ending.equals("csv");
    Path file =
        file(
            "t." + ending,
            isCsv
                ? "a\n02/02/2026\n01/02/2026\n03/04/2026\n"
                : "{}\n{\"a\":\"02/02/2026\"}\n{\"a\":\"01/02/2026\"}\n");
    String message =
        file
            + ", line 3, column 'a': '01/02/2026' is another time by %d/%m/%Y than by %m/%d/%Y, and both fit all rows: leave out a --dates, or read the column by strptime in a --select; --types 'a=VARCHAR' keeps the text";
    assertThatThrownBy(() -> read(file, both)).hasMessage(message);
    if (isCsv) {
      DeclaredTypes found = new DeclaredTypes(Map.of(), both.dateFormats());
      assertThatThrownBy(() -> read(file, found)).hasMessage(message);
    }
    DeclaredTypes text = new DeclaredTypes(Map.of("a", "VARCHAR"), both.dateFormats());
    assertThat(read(file, text).last()).isEqualTo(isCsv ? "03/04/2026" : "01/02/2026");
    Path equal = file("t.csv", "a\n02/02/2026\n");
    assertThat(read(equal, both).columns())
        .containsExactly("t.a: DATE -> INT, days since 1970, as %d/%m/%Y");
  }

  @Test
  void namesFormatsOfDatesThatNoColumnHas() throws Exception {
    Path file = file("t.csv", "a,b,c\n20260131,2026-01-31,\n20260201,2026-02-01,\n");
    List<String> dates = List.of("%Y%m%d", "%Y-%m-%d", "%d.%m.%Y");
    for (String declared : List.of("a=BIGINT", "a=DATE", "c=DATE")) {
      String[] type = declared.split("=", 2);
      DeclaredTypes types = new DeclaredTypes(Map.of(type[0], type[1]), dates);
      List<String> lines = new ArrayList<>();
      ImportPlan plan = Imported.update(Map.of("t", file), Map.of(), List.of(), types);
      try (ImportedTables tables = new DuckDbEngine().open(plan, lines::add)) {
        assertThat(tables.types()).hasSize(3);
      }
      assertThat(lines.subList(1, lines.size()))
          .as(declared)
          .containsExactlyElementsOf(
              dates.subList(declared.equals("a=DATE") ? 1 : 0, 3).stream()
                  .map(
                      each ->
                          "--dates "
                              + each
                              + " has no effect: no column needs this format; if all values of a column are digits, set --types COLUMN=DATE too")
                  .toList());
    }
  }

  @ParameterizedTest
  @CsvFileSource(resources = "casts.txt", delimiter = '|', quoteCharacter = '`')
  void castsToADeclaredTypeOrNamesTheLine(String type, String text, String value) throws Exception {
    DeclaredTypes types = new DeclaredTypes(Map.of("a", type), List.of());
    String quoted = '"' + text.replace("\"", "\"\"") + '"';
    Path csv = file("t.csv", "z,a\n1,\n2," + quoted + "\n");
    String escaped = '"' + text.replace("\"", "\\\"") + '"';
    Path json = file("t.jsonl", "{\"z\":1,\"a\":null}\n{\"z\":2,\"a\":" + escaped + "}\n");
    for (Path file : type.equals("JSON") ? List.of(csv) : List.of(csv, json)) {
      if (value.startsWith("!")) {
        assertThatThrownBy(() -> read(file, types))
            .isInstanceOf(TableException.class)
            .hasMessageStartingWith(
                "%s, line %d, column 'a': '%s' is no ", file, file == csv ? 3 : 2, text)
            .hasMessageEndingWith(value.substring(1));
      } else {
        assertThat(read(file, types).values().get("a")).containsExactly("null", value);
      }
    }
  }

  @Test
  void keepsNestedJsonAsATextWhereTheUserSaysSo() throws Exception {
    Path file = file("t.jsonl", "{\"a\":{\"b\": [1, 2.50, \"é\"]}}\n{\"a\":\"x\"}\n{\"a\":1e3}\n");
    assertThat(read(file, new DeclaredTypes(Map.of("a", "JSON"), List.of())).only())
        .containsExactly("{\"b\":[1,2.50,\"é\"]}", "\"x\"", "1e3");
    assertThat(read(file, new DeclaredTypes(Map.of("a", "VARCHAR"), List.of())).only())
        .containsExactly("{\"b\":[1,2.50,\"é\"]}", "x", "1e3");
  }

  @Test
  void refusesTypesThatAreNone() throws Exception {
    Path file = file("t.csv", "a\n1\n");
    for (String type :
        List.of("NUMBER", "BLOB", "INTEGER[]", "BIGINT) FROM t; --", "", "INTERVAL")) {
      assertThatThrownBy(() -> Imported.file(file, new DeclaredTypes(Map.of("a", type), List.of())))
          .hasMessageStartingWith("--types 'a=%s': that is no type of a cargo", type);
    }
    assertThatThrownBy(
            () -> Imported.file(file, new DeclaredTypes(Map.of("b", "BIGINT"), List.of())))
        .hasMessage("--types b: there is no such column, only t.a");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "plain.csv.gz!: it is not compressed by gzip, though its name ends in .gz: rename it",
        "zipped.csv!: it is compressed by gzip: its name should end in .gz",
        "cut.csv.gz!: its gzip is cut off or damaged",
        "latin.csv!, line 2, column 'b': it is not in UTF-8",
        "utf16.csv!: it is UTF-16, not UTF-8: convert it with iconv",
        "utf16le.csv!, line 1: it is no text in UTF-8: is it UTF-16?",
        "t.csv.zst!: its name must end in .parquet, .csv, .tsv, .json, .jsonl, .ndjson, .arrow or .arrows, those of text also in .gz: decompress it with zstd -d",
        "zstd.csv!: it is compressed by Zstandard: decompress it with zstd -d",
        "t.xlsx!: its name must end in .parquet, .csv, .tsv, .json, .jsonl, .ndjson, .arrow or .arrows, those of text also in .gz: save the sheet as CSV",
        "sheet.csv!: it is a ZIP archive or a workbook",
        "p.csv!: it is Parquet: its name should end in .parquet",
        "a.csv!: it is an Arrow file: its name should end in .arrow",
        "s.csv!: it is a database of SQLite",
        "b.csv!: it is compressed by bzip2",
        "t.parquet.gz!: decompress it with gzip -d: only text files are read compressed",
        "empty.arrow!: it is no Arrow IPC, or damaged: the file is empty",
        "empty.arrows!: it is no Arrow IPC, or damaged: the file is empty",
        "empty.parquet!: it is no Parquet, or damaged: Invalid Input Error: File '",
        "broken.parquet!: it is no Parquet, or damaged: ",
        "broken.arrow!: it is no Arrow IPC, or damaged: it does not begin like Arrow",
        "feather.arrow!: it is no Arrow IPC, or damaged: it is Feather of version 1: write version 2",
        "magic.arrow!: it is no Arrow IPC, or damaged: ",
      })
  void saysWhatAFileIsAndWhatToDo(String expected) throws Exception {
    String name = expected.substring(0, expected.indexOf('!'));
    Path file = folder.resolve(name);
    switch (name) {
      case "plain.csv.gz" -> file(name, "a\n1\n");
      case "zipped.csv" -> zipped(name, "a\n1\n");
      case "cut.csv.gz" -> {
        byte[] whole = Files.readAllBytes(zipped(name, "a\n" + "1234567890\n".repeat(9_999)));
        Files.write(file, Arrays.copyOf(whole, whole.length / 2));
      }
      case "latin.csv" ->
          Files.write(file, "a,b\n1,caf\u00e9\n".getBytes(StandardCharsets.ISO_8859_1));
      case "utf16.csv" -> Files.write(file, "\ufeffa\n1\n".getBytes(StandardCharsets.UTF_16LE));
      case "utf16le.csv" -> Files.write(file, "a\n1\n".getBytes(StandardCharsets.UTF_16LE));
      case "zstd.csv" -> Files.write(file, new byte[] {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd, 0});
      case "sheet.csv" -> file(name, "PK\u0003\u0004rest");
      case "p.csv" -> file(name, "PAR1\u0015rest");
      case "a.csv" -> file(name, "ARROW1\0\0rest");
      case "s.csv" -> file(name, "SQLite format 3\0rest");
      case "b.csv" -> file(name, "BZh91AY&SYrest");
      case "broken.parquet" -> file(name, "PAR1something else that is long enough");
      case "broken.arrow" -> file(name, "something else that is long enough");
      case "feather.arrow" -> file(name, "FEA1\0\0\0\0 and so on FEA1");
      case "magic.arrow" -> file(name, "ARROW1\0\0something else that is long enough");
      default -> Files.createFile(file);
    }
    boolean isText = name.contains(".csv") && !name.endsWith(".zst");
    assertThatThrownBy(() -> assertThat(isText ? read(file) : Imported.file(file)).isNull())
        .isInstanceOf(TableException.class)
        .hasMessageStartingWith(file + expected.substring(expected.indexOf('!') + 1));
  }
}
