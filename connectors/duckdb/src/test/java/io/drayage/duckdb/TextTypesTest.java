package io.drayage.duckdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.tables.DeclaredTypes;
import io.drayage.tables.TableException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
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
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Columns of CSV and JSON have a type that all of their rows have, and no value is bent to it. */
@Timeout(180)
final class TextTypesTest {
  private static final int ROWS = 3;

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
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // The rows before, the last row, what the column becomes, the last value.
        "7            | 8                    | BIGINT -> LONG | 8",
        "7            | -9223372036854775808 | BIGINT -> LONG | -9223372036854775808",
        "7            | 1.5                  | DOUBLE -> DOUBLE | 1.5",
        "7            | -0                   | DOUBLE -> DOUBLE | -0.0",
        "7            | 007                  | VARCHAR -> STRING, text by line 5: '007' | 007",
        "7            | +1                   | VARCHAR -> STRING, text by line 5: '+1' | +1",
        "7            | 0x1F                 | VARCHAR -> STRING, text by line 5: '0x1F' | 0x1F",
        "7            | 1_000                | VARCHAR -> STRING, text by line 5: '1_000' | 1_000",
        "7            | `1,000`              | VARCHAR -> STRING, text by line 5: '1,000' | 1,000",
        "7            | 1e3                  | VARCHAR -> STRING, text by line 5: '1e3' | 1e3",
        "7            | ` 8`                 | VARCHAR -> STRING, text by line 5: ' 8' | ` 8`",
        "7            | nan                  | VARCHAR -> STRING, text by line 5: 'nan' | nan",
        "1.5          | inf                  | VARCHAR -> STRING, text by line 5: 'inf' | inf",
        "1.5          | .5                   | VARCHAR -> STRING, text by line 5: '.5' | .5",
        "1.5          | 5.                   | VARCHAR -> STRING, text by line 5: '5.' | 5.",
        "7            | true                 | VARCHAR -> STRING, text by line 5: 'true' | true",
        "7            | x                    | VARCHAR -> STRING, text by line 5: 'x' | x",
        "7            | 18446744073709551616 | VARCHAR -> STRING, text by line 5: 18446744073709551616 has more than 64 bits | 18446744073709551616",
        "7            | 0.30000000000000004  | DOUBLE -> DOUBLE | 0.30000000000000004",
        "7            | 0.90000000000000002  | DOUBLE -> DOUBLE | 0.9",
        "7            | 0.90000000000000001  | DECIMAL(18,17) -> LONG, times 10^17 | 90000000000000001",
        "70           | 0.90000000000000001  | VARCHAR | -",
        "1.5          | 9007199254740993.5   | DECIMAL(18,1) -> LONG, times 10^1 | 90071992547409935",
        "90071992547409.92 | 90071992547409.93 | DECIMAL(18,2) -> LONG, times 10^2 | 9007199254740993",
        "7            | 0.123456789012345678 | VARCHAR | -",
        "0.5          | 0.123456789012345678 | DECIMAL(18,18) -> LONG, times 10^18 | 123456789012345678",
        "true         | false                | BOOLEAN -> BOOLEAN | false",
        "true         | 7                    | VARCHAR -> STRING, text by line 5: '7' | 7",
        "true         | True                 | VARCHAR -> STRING, text by line 5: 'True' | True",
        "2026-01-31   | 2024-02-29           | DATE -> INT, days since 1970 | 19782",
        "2026-01-31   | 2026-02-29           | VARCHAR -> STRING, text by line 5: '2026-02-29' | 2026-02-29",
        "2026-01-31   | 2026-01-31 10:00:00  | VARCHAR -> STRING, text by line 5: '2026-01-31 10:00:00' | 2026-01-31 10:00:00",
        "2026-01-31   | 01-02-2026           | VARCHAR -> STRING, text by line 5: '01-02-2026' | 01-02-2026",
        "2026-01-31   | 7                    | VARCHAR -> STRING, text by line 5: '7' | 7",
        "23:59:59     | 00:00:00.000001      | TIME -> LONG, microseconds | 1",
        "23:59:59     | 24:00:00             | VARCHAR -> STRING, text by line 5: '24:00:00' | 24:00:00",
        "1970-01-01 00:00:00  | 1969-12-31T23:59:59.999999 | TIMESTAMP -> LONG, microseconds since 1970 | -1",
        "1970-01-01 00:00:00  | 1970-01-01 00:00:00.000000001 | TIMESTAMP_NS -> LONG, nanoseconds since 1970 | 1",
        "1500-01-01 00:00:00  | 1970-01-01 00:00:00.000000001 | VARCHAR -> STRING, text, since a second has 9 digits | 1970-01-01 00:00:00.000000001",
        "1970-01-01 00:00:00Z | 1970-01-01 02:00:00+01:30 | TIMESTAMP WITH TIME ZONE -> LONG, microseconds since 1970 in UTC | 1800000000",
        "1970-01-01 00:00:00Z | 1970-01-01 02:00:00 | VARCHAR -> STRING, text by line 5: '1970-01-01 02:00:00' | 1970-01-01 02:00:00",
      })
  void typeOfCsvHoldsForAllRows(String before, String last, String type, String value)
      throws Exception {
    String row = last.contains(",") ? '"' + last + '"' : last;
    Path file = file("t.csv", "a\n" + (before + "\n").repeat(ROWS) + row + "\n");
    if (type.equals("VARCHAR")) {
      assertThatThrownBy(() -> read(file))
          .isInstanceOf(TableException.class)
          .hasMessage(
              "%s, line 5, column 'a': %s has more digits than a DOUBLE or a DECIMAL of 18 keeps; --types 'a=VARCHAR' keeps the text",
              file, last);
      return;
    }
    Imported read = read(file);
    assertThat(read.type()).isEqualTo(type);
    assertThat(read.last()).isEqualTo(value);
    assertThat(read.only()).hasSize(ROWS + 1);
  }

  /** What is in a file would reach the terminal. */
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

  /** Two of them may be one DOUBLE. */
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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "7      | 8                    | BIGINT -> LONG | 8",
        "7      | 1.5                  | DOUBLE -> DOUBLE | 1.5",
        "7      | 1e3                  | DOUBLE -> DOUBLE | 1000.0",
        "7      | -0                   | DOUBLE -> DOUBLE | -0.0",
        "0.5    | 0.123456789012345678 | DECIMAL(18,18) -> LONG, times 10^18 | 123456789012345678",
        "0.5    | 9007199254740992 | DOUBLE -> DOUBLE | 9.007199254740992E15",
        "0.5    | 9007199254740993 | DECIMAL(18,1) -> LONG, times 10^1 | 90071992547409930",
        "true   | false                | BOOLEAN -> BOOLEAN | false",
        "true   | null                 | BOOLEAN -> BOOLEAN | null",
        "`\"1\"`  | `\"007\"`         | VARCHAR -> STRING | 007",
        "`\"2026-01-31\"` | `\"2026-02-01\"` | VARCHAR -> STRING | 2026-02-01",
        "`\"01-02-2026\"` | `\"12-31-2026\"` | VARCHAR -> STRING | 12-31-2026",
        "`\"25-11-2025\"` | `\"\\u00e9\\ud834\\udd1e\\n\"` | VARCHAR -> STRING | `é𝄞\n`",
      })
  void typeOfJsonHoldsForAllRows(String before, String last, String type, String value)
      throws Exception {
    for (String name : List.of("t.jsonl", "t.ndjson", "t.json")) {
      String rows = "{\"a\":%s}\n".formatted(before).repeat(ROWS) + "{\"a\":%s}\n".formatted(last);
      Imported read = read(file(name, rows));
      assertThat(read.type()).isEqualTo(type);
      assertThat(read.last()).isEqualTo(value);
    }
    Imported read = read(file("t.json", "[{\"a\":%s},\n{\"a\":%s}]".formatted(before, last)));
    assertThat(read.type()).isEqualTo(type);
    assertThat(read.only()).hasSize(2).last().isEqualTo(value);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "7      | true      | true is a boolean, where the rows before have a number",
        "true   | 7         | 7 is a number, where the rows before have a boolean",
        "7      | `\"7\"` | '7' is a text, where the rows before have a number",
        "`\"x\"` | 7       | 7 is a number, where the rows before have a text",
        "7      | [1]       | a cargo has no place for what is nested: [1]",
        "7      | `{\"b\":1.50}` | a cargo has no place for what is nested: {\"b\":1.50}",
        "7      | 18446744073709551616 | 18446744073709551616 has more than 64 bits",
        "18446744073709551616 | 18446744073709551617 | 18446744073709551616 has more than 64 bits",
        "0.5    | 0.12345678901234567890 | 0.12345678901234567890 has more digits than a DOUBLE or a DECIMAL of 18 keeps",
        "0.05   | 90071992547409930 | 90071992547409930 has more digits than a DOUBLE or a DECIMAL of 18 keeps",
        "0.5    | 1.2345678901234567e-5 | 1.2345678901234567e-5 has more digits than a DOUBLE or a DECIMAL of 18 keeps",
        "0.5    | 1e400 | 1e400 is beyond the range of a DOUBLE",
        "0.5    | 1e-400 | 1e-400 is beyond the range of a DOUBLE",
      })
  void namesTheLineOfJsonThatHasNoType(String before, String last, String reason) throws Exception {
    boolean isFirst = before.length() > 10;
    Path file =
        file(
            "t.jsonl",
            "{\"a\":%s}\n".formatted(before).repeat(3) + "\n{\"a\":%s}\n".formatted(last));
    assertThatThrownBy(() -> read(file))
        .hasMessage(
            "%s, line %d, column 'a': %s; --types 'a=VARCHAR' keeps the text",
            file, isFirst ? 1 : 5, reason);
    Imported asText = read(file, new DeclaredTypes(Map.of("a", "VARCHAR"), List.of()));
    assertThat(asText.last()).isEqualTo(last.replace("\"7\"", "7"));
  }

  /** Jackson would say the line behind it. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      value = {
        "t.jsonl  ! {\"a\":1}~{\"a\":~                 ! line 2: it is no JSON",
        "t.jsonl  ! {\"a\":1}~{\"a\":1~{\"a\":1}       ! line 2: it is no JSON",
        "t.ndjson ! {\"a\":1}~{'a':1}~{\"a\":1}        ! line 2: it is no JSON",
        "t.ndjson ! {\"a\":1}~~{\"a\":NaN}             ! line 3: it is no JSON: Non-standard token 'NaN'",
        "t.jsonl  ! {\"a\":1}~//x~{\"a\":1}          ! line 2: it is no JSON: Unexpected character ('/' (code 47)): maybe a (non-standard) comment",
        "t.jsonl  ! {\"a\":1}~{\"a\":DEEP}            ! line 2: Document nesting depth (1001) exceeds the maximum allowed (1000)",
        "t.jsonl  ! {\"a\":1}~{\"a\":1}{\"a\":1}       ! line 2: more than one object",
        "t.jsonl  ! {\"a\":1}~7                        ! line 2: a row is an object such as {\"a\": 1}, not 7",
        "t.jsonl  ! [{\"a\":1}]                        ! line 1: a row is an object such as {\"a\": 1}, not an array: an array of all rows belongs in a file whose name ends in .json",
        "t.jsonl  ! {\"a\":1}~{\"a\":1,\"a\":2}        ! line 2: the key 'a' stands twice in a row",
        "t.jsonl  ! {\"a\":1}~{\"\":1}                 ! line 2: a key is empty",
        "t.jsonl  ! {\"a\":\"x\"}~{\"a\":\"\\ud800\"}   ! line 2: column 'a': the text has half a character",
        "t.json   ! [{\"a\":1},~{\"a\":~               ! line 2: it is no JSON",
        "t.json   ! [{\"a\":1},~{\"a\":2}]~{}           ! line 3: something follows the array of rows",
        "t.json   ! [{\"a\":1},~[2]]                   ! line 2: a row is an object",
        "t.json   ! [{\"a\":1},~{\"a\":~{}}]            ! line 3, column 'a': {} is",
      })
  void namesTheLineOfMalformedJson(String name, String lines, String message) throws Exception {
    Path file = file(name, lines.replace('~', '\n').replace("DEEP", "[".repeat(1_001)));
    if (message.contains("column 'a': {}")) {
      assertThatThrownBy(() -> read(file))
          .hasMessageContaining("line 3, column 'a': a cargo has no place for what is nested: {}");
      return;
    }
    assertThatThrownBy(() -> read(file))
        .isInstanceOf(TableException.class)
        .hasMessageStartingWith(file + ", " + message)
        .message()
        .doesNotContain("JsonReadFeature", "JsonParser", "Source", "Feature", "`");
  }

  @Test
  void keepsEachKeyOfJsonAsAColumn() throws Exception {
    StringBuilder row = new StringBuilder();
    for (int i = 0; i < 250; i++) {
      row.append(i == 0 ? "{" : ",").append("\"k").append(i).append("\":").append(i);
    }
    Imported wide = read(file("t.jsonl", row + "}\n"));
    assertThat(wide.columns()).hasSize(250).last().isEqualTo("t.k249: BIGINT -> LONG");
    Imported late = read(file("t.jsonl", "\ufeff{\"a\":1}\n{\"b\":\"x\",\"a\":null}\n{}\n"));
    assertThat(late.values())
        .isEqualTo(Map.of("a", List.of("1", "null", "null"), "b", List.of("null", "x", "null")));
  }

  @ParameterizedTest
  @CsvSource({"t.jsonl, ''", "t.json, []", "t.jsonl, {}", "t.json, '  '"})
  void refusesJsonWithoutColumns(String name, String text) throws Exception {
    Path file = file(name, text);
    assertThatThrownBy(() -> read(file))
        .hasMessage(file + ": it has no row with a key, and so names no column of a table");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      quoteCharacter = '`',
      value = {
        "c0~v0~a;b             ! {c0=[v0, a;b]}",
        "c0~x,y~z              ! {c0=[x,y, z]}",
        "a,b~1,~,2             ! {a=[1, null], b=[null, 2]}",
        "a,b~\"\",x~y,\"\"     ! {a=[, y], b=[x, ]}",
        "` a ,b~ 1 ,2`         ! `{ a =[ 1 ], b=[2]}`",
        "` a ~x`               ! `{ a =[x]}`",
        "a~~x                  ! {a=[null, x]}",
        "a,b~1,2~~3,4          ! {a=[1, 3], b=[2, 4]}",
        "a,b~\"x~\"\"y\",5\" pipe ! `{a=[x\n\"y], b=[5\" pipe]}`",
        "name (€, net);n~x;2   ! {name (€, net)=[x], n=[2]}",
        "\"a;b\",c~x;y,1       ! {a;b=[x;y], c=[1]}",
        "#a,b~#1,2             ! {#a=[#1], b=[2]}",
        "a,b~NULL,null~\\N,NA   ! `{a=[NULL, \\N], b=[null, NA]}`",
      })
  void keepsTextsOfCsvAsTheyAre(String lines, String columns) throws Exception {
    for (String end : List.of("\n", "\r\n", "\r")) {
      String text = lines.replace("~", end);
      for (String mark : List.of("", "\ufeff")) {
        Imported read = read(file("t.csv", mark + text + end));
        assertThat(read.values().toString().replace(end, "\n")).isEqualTo(columns);
        boolean endsInNull = text.endsWith(end);
        assertThat(endsInNull || read(file("t.csv", mark + text)).equals(read)).isTrue();
      }
    }
    assertThat(read(zipped("t.csv.gz", lines.replace('~', '\n') + "\n")).values())
        .hasToString(columns);
  }

  private Path zipped(String name, String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(bytes)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return Files.write(folder.resolve(name), bytes.toByteArray());
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

  /** In each zone of the machine: what has no offset is no moment. */
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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "%d.%m.%Y       | 01.02.2026 | 13.1.2026  | DATE -> INT, days since 1970, as %d.%m.%Y | 20466",
        "%m/%d/%Y       | 01/02/2026 | 12/31/2026 | DATE -> INT, days since 1970, as %m/%d/%Y | 20818",
        "%d-%b-%Y       | 01-Feb-2026 | 25-nov-2025 | DATE -> INT, days since 1970, as %d-%b-%Y | 20417",
        "%Y%m%d         | 20260102   | 20261231   | BIGINT -> LONG | 20261231",
        "%m/%d/%Y %H:%M | 01/02/1970 0:01 | 1/1/1970 0:01 | TIMESTAMP -> LONG, microseconds since 1970, as %m/%d/%Y %H:%M | 60000000",
        "%d/%m/%Y       | 01/02/2026 | 12/31/2026 | VARCHAR -> STRING, text by line 3: '12/31/2026' | 12/31/2026",
        "%d/%m/%Y       | 2026-01-02 | 01/02/2026 | VARCHAR -> STRING, text by line 3: '01/02/2026' | 01/02/2026",
        "%d/%m/%Y       | 01/02/26   | 01/02/26   | VARCHAR -> STRING | 01/02/26",
      })
  void readsDatesAsTheUserSays(String format, String first, String last, String type, String value)
      throws Exception {
    DeclaredTypes dates = new DeclaredTypes(Map.of(), List.of(format));
    Imported read = read(file("t.csv", "a\n" + first + "\n" + last + "\n"), dates);
    assertThat(read.type()).isEqualTo(type);
    assertThat(read.last()).isEqualTo(value);
  }

  @Test
  void readsAllDatesOfAColumnByOneFormat() throws Exception {
    DeclaredTypes both = new DeclaredTypes(Map.of("a", "DATE"), List.of("%d/%m/%Y", "%m/%d/%Y"));
    Path file = file("t.csv", "a\n01/02/2026\n12/31/2026\n");
    assertThat(read(file, both).only()).containsExactly("20455", "20818");
    Path mixed = file("t.csv", "a\n31/12/2026\n01/02/2026\n12/31/2026\n");
    assertThatThrownBy(() -> read(mixed, both))
        .hasMessage(
            "%s, line 4, column 'a': '12/31/2026' is not written by [%%d/%%m/%%Y], as the rows before are",
            mixed);
    assertThatThrownBy(() -> read(file, new DeclaredTypes(Map.of(), List.of("%d/%m/%y"))))
        .hasMessageStartingWith("'%d/%m/%y' is no format of dates: write it with %Y (four digits)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "BIGINT | 007 | 7",
        "BIGINT | +7 | 7",
        "BIGINT | 7.0 | 7",
        "BIGINT | 1e3 | 1000",
        "BIGINT | 7.5 | !",
        "BIGINT | 0x1F | !",
        "BIGINT | 1_000 | !",
        "BIGINT | ` 7` | !",
        "BIGINT | `` | !",
        "INTEGER | 2147483647 | 2147483647",
        "INTEGER | 2147483648 | !",
        "TINYINT | 128 | !",
        "UTINYINT | 255 | 255",
        "UTINYINT | 256 | !",
        "UTINYINT | -1 | !",
        "UBIGINT | -1 | !",
        "HUGEINT | 12 | 12",
        "HUGEINT | 9223372036854775808 | !: it is beyond BIGINT, the most that a cargo takes",
        "UBIGINT | 9223372036854775808 | !: it is beyond BIGINT, the most that a cargo takes",
        "BIGINT | 9223372036854775808 | !: it is beyond BIGINT, the most that a cargo takes",
        "DOUBLE | 1e-7 | 1.0E-7",
        "DOUBLE | nan | NaN",
        "DOUBLE | -inf | -Infinity",
        "DOUBLE | 0.12345678901234567890 | 0.12345678901234568",
        "DOUBLE | 1e400 | !",
        "DOUBLE | 1f | !",
        "DOUBLE | 0x1p3 | !",
        "FLOAT | 0.1 | 0.1",
        "FLOAT | 1e39 | !",
        "`DECIMAL(9,2)` | 1.5 | 150",
        "`DECIMAL(9,2)` | 1.250 | 125",
        "`DECIMAL(9,2)` | 1.255 | !",
        "`DECIMAL(9,2)` | 12345678 | !",
        "`DECIMAL(22,2)` | 1.5 | 150",
        "`DECIMAL(22,2)` | 12345678901234567.5 | !: it has more than 18 digits, the most that a cargo takes",
        "`DECIMAL(22,2)` | 1e9999 | !: it has more than 18 digits, the most that a cargo takes",
        "BOOLEAN | True | true",
        "BOOLEAN | 0 | false",
        "BOOLEAN | 2 | !",
        "VARCHAR | 007 | 007",
        "DATE | 2026-01-02 | 20455",
        "DATE | 02.01.2026 | !",
        "DATE | 2026-01-02 00:00:00 | !",
        "TIMESTAMP | 1970-01-02 | 86400000000",
        "TIMESTAMP | 1970-01-01T00:00:00Z | !",
        "TIMESTAMP_S | 1970-01-01 00:00:01.000 | 1",
        "TIMESTAMP_S | 1970-01-01 00:00:01.5 | !: it has 1 digit of a second, and there is a place for 0",
        "TIMESTAMP_S | 1970-01-01 00:00:01.5 | !",
        "TIMESTAMP_MS | 1970-01-01 00:00:01.5 | 1500",
        "TIMESTAMP_NS | 1970-01-01 00:00:01 | 1000000000",
        "TIMESTAMP_NS | 1500-01-01 | !",
        "TIMESTAMP WITH TIME ZONE | 1970-01-01 02:00:00+02 | 0",
        "TIMESTAMP WITH TIME ZONE | 1970-01-01 02:00:00 | !",
        "TIME | 00:00:01 | 1000000",
        "TIME | 00:00:00.0000001 | !",
        "UUID | 6ba7b810-9dad-11d1-80b4-00c04fd430c8 | 6ba7b810-9dad-11d1-80b4-00c04fd430c8",
        "UUID | x | !",
        "JSON | `{\"a\":1.50}` | `{\"a\":1.50}`",
        "JSON | {a} | !",
      })
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
        "broken.arrow!: it is no Arrow IPC, or damaged: it does not begin as Arrow does",
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
