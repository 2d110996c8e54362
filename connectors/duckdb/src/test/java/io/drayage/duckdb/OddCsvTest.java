package io.drayage.duckdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.tables.DeclaredTypes;
import io.drayage.tables.TableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * CSV that could mean two tables is refused with its line. In each text {@code ~} is a line feed,
 * {@code ^} a carriage return, and {@code >} a tab.
 */
@Timeout(180)
final class OddCsvTest {
  @TempDir private Path folder;

  private Path file(String name, String text) throws IOException {
    return Files.writeString(
        folder.resolve(name), text.replace('~', '\n').replace('^', '\r').replace('>', '\t'));
  }

  private static Imported read(Path file) throws IOException {
    return Imported.text(file, DeclaredTypes.NONE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      quoteCharacter = '`',
      value = {
        "a,b,c,d~1,x\"y, z\",2~           ! 2 ! x\"y",
        "a,b,c~1,2,3~4,5\"6, 7\"\"\"~     ! 3 ! 5\"6",
        "a,b~5\" pipe,3\" pipe~           ! 2 ! 5\" pipe",
        "a,b~5\" pipe,\"Acme\"~           ! 2 ! 5\" pipe",
        "a;b;c;d~1;2\"x; y\";3~           ! 2 ! 2\"x",
        "a|b|c|d~1|2\"x| y\"|3            ! 2 ! 2\"x",
        "a,b,c~\"x~y\",z\"1, 2\"~         ! 3 ! z\"1",
        "a,b,c~1,2,3~x\",y,z\"            ! 3 ! x\"",
        "a\"b, c\",d~1,2,3~               ! 1 ! a\"b",
      })
  void refusesTwoQuotesWithinValuesOfARow(String text, int line, String value) throws Exception {
    Path file = file("t.csv", text);
    assertThatThrownBy(() -> read(file))
        .isInstanceOf(TableException.class)
        .hasMessage(
            "%s, line %d: a quote within '%s', and another one in a later value: is a delimiter missing before the quote, or is there a blank too much? Put a value with quotes into quotes, and double those within",
            file, line, value);
  }

  /** Often the next line has the closing quote, and the one that opens it is wrong. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      quoteCharacter = '`',
      value = {
        "a,b~1,\"x\"y~              ! line 2: a quote is closed before its value ends: ",
        "a,b~1,\"x~2,\"y\"~3,z~     ! line 2: a quote is closed before its value ends, in line 3: ",
        "a,b~1,\"x~2,y~            ! line 2: a quote is opened and not closed",
        "a,b~1,\"                  ! line 2: a quote is opened and not closed",
        "a,b~1,\"x\"\"~            ! line 2: a quote is opened and not closed",
        "a,\"b~1,2~                ! line 1: a quote is opened and not closed",
      })
  void namesTheLineOfAQuoteThatIsOpened(String text, String message) throws Exception {
    Path file = file("t.csv", text);
    assertThatThrownBy(() -> read(file)).hasMessageStartingWith(file + ", " + message);
  }

  /** Where one reading is left: a value with quotes alone in its row, and what has no quoting. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      quoteCharacter = '`',
      value = {
        "t.csv ! a,b~1,5\" pipe~             ! `{a=[1], b=[5\" pipe]}`",
        "t.csv ! a,b~1,5\" by 3\" pipe~      ! `{a=[1], b=[5\" by 3\" pipe]}`",
        "t.csv ! a,b~1,a \"b\" c~            ! `{a=[1], b=[a \"b\" c]}`",
        "t.csv ! a,b~1,\"5\"\" pipe\"~       ! `{a=[1], b=[5\" pipe]}`",
        "t.csv ! a,b~\"Acme, \"\"Inc\"\"\",5\" ! `{a=[Acme, \"Inc\"], b=[5\"]}`",
        "t.csv ! a,b~1\",x~2\",y~            ! `{a=[1\", 2\"], b=[x, y]}`",
        "t.csv ! a~5\", 3\"~x~               ! `{a=[5\", 3\", x]}`",
        "t.tsv ! a>b~5\" pipe>3\"~           ! `{a=[5\" pipe], b=[3\"]}`",
        "t.csv ! a>b~5\" pipe>3\"~           ! `{a=[5\" pipe], b=[3\"]}`",
        "t.tsv ! a>b~5\" pipe>\"x\"~         ! `{a=[5\" pipe], b=[x]}`",
      })
  void keepsAQuoteWithinAValue(String name, String text, String values) throws Exception {
    assertThat(read(file(name, text)).values()).hasToString(values);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      quoteCharacter = '`',
      value = {
        "a~x^y~                 ! 2 ! ",
        "a,b~1,x^2,y~           ! 2 ! ",
        "a,b^~1,x^2,y^~         ! 2 ! ",
        "a,b^~1,x^~^2,y^~       ! 3 ! ",
        "a,b~1,\"x\"^2,y~       ! 2 ! ",
        "a,b~1,x~2,^3~          ! 3 ! ",
        "a,b~1,x^               ! 2 ! ",
        "a,b~1,x~^              ! 3 ! ",
        "a,b~1,x~^^2,y~         ! 3 ! ",
        "~a^1~                  ! 2 ! ",
        "a^1~2^                 ! 2 ! LF",
        "a,b^1,x^~2,y^          ! 2 ! LF",
        "a,b^1,\"x~\"~2,y^      ! 3 ! LF",
        "a,b^1,x^~              ! 2 ! LF",
      })
  void refusesLinesThatEndDifferently(String text, int line, String feed) throws Exception {
    Path file = file("t.csv", text);
    assertThatThrownBy(() -> read(file))
        .isInstanceOf(TableException.class)
        .hasMessage(
            "%s, line %d: %s",
            file,
            line,
            feed == null
                ? "a carriage return (CR) without a line feed, where the lines before end in LF or CRLF: put a value that has one into quotes"
                : "a line feed (LF), where the lines before end in CR: put a value that has one into quotes");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      quoteCharacter = '`',
      value = {
        "a,b~1,x^~2,y~            ! `{a=[1, 2], b=[x, y]}`",
        "a,b^~1,x~2,y^~           ! `{a=[1, 2], b=[x, y]}`",
        "a,b^1,x^2,y^             ! `{a=[1, 2], b=[x, y]}`",
        "a,b^1,x^2,y              ! `{a=[1, 2], b=[x, y]}`",
        "^^a,b^^1,x^^^2,y         ! `{a=[1, 2], b=[x, y]}`",
        "a^^1^                    ! `{a=[null, 1]}`",
        "a~^~1~                   ! `{a=[null, 1]}`",
        "a,b^^~1,x^^~2,y^^~       ! `{a=[1, 2], b=[x, y]}`",
        "a^^~1^^~                 ! `{a=[1]}`",
        "a,b~1,\"^\"~2,\"^~^^\"~  ! `{a=[1, 2], b=[^, ^~^^]}`",
        "a,b^1,\"~\"^2,\"^~\"^    ! `{a=[1, 2], b=[~, ^~]}`",
        "a,b^~1,x^~2,y^           ! `{a=[1, 2], b=[x, y]}`",
        "a                        ! `{a=[]}`",
        "a^                       ! `{a=[]}`",
      })
  void readsLinesThatEndAlike(String text, String values) throws Exception {
    assertThat(read(file("t.csv", text)).values().toString().replace('\n', '~').replace('\r', '^'))
        .isEqualTo(values);
  }

  /** These begin as a file of another kind does. */
  @ParameterizedTest
  @ValueSource(strings = {"PAR1", "PAR10", "ARROW1", "BZh", "BZh9", "SQLite format 3", "PK"})
  void readsNamesThatBeginAsAnotherKindOfFile(String name) throws Exception {
    assertThat(read(file("t.csv", name + ",b~1,2~")).values()).hasToString("{%s=[1], b=[2]}", name);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      quoteCharacter = '`',
      value = {
        // A delimiter that is none here, and a second line of names.
        "day of week~1 2 3~ ! t.day of week: VARCHAR -> STRING, the only column: the first line has no comma, semicolon, tab or bar",
        "a:b~1~             ! t.a:b: BIGINT -> LONG, the only column: the first line has no comma, semicolon, tab or bar",
        "day~1~             ! t.day: BIGINT -> LONG",
        "\"a b\"~x~7~       ! t.a b: VARCHAR -> STRING, the only column: the first line has no comma, semicolon, tab or bar, text by line 2: 'x'",
        "a_b~kg~1~2~        ! t.a_b: VARCHAR -> STRING, text by line 2: 'kg'",
        "a_b~~kg~~true~     ! t.a_b: VARCHAR -> STRING, text by line 3: 'kg'",
        "a_b~kg~lb~2~       ! t.a_b: VARCHAR -> STRING",
      })
  void saysWhatMayBeAnotherTable(String text, String column) throws Exception {
    assertThat(read(file("t.csv", text)).columns()).containsExactly(column);
  }

  /** What is in a file steers no terminal, and has no line of its own there. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      quoteCharacter = '`',
      value = {
        "t.csv   ! a~1~ESC[31mred~            ! text by line 3: '\\u001B[31mred'",
        "t.csv   ! a,b~1,2~3,\"x~ESC]0;x\"~  ! text by line 3: 'x\\u000A\\u001B]0;x'",
        "t.csv   ! a,b~ESC[31mred~            ! line 2: 1 value, where the first line names 2 columns (delimiter ','): '\\u001B[31mred'",
        "t.csv   ! a,b~1,xESC\"y,z\"~         ! line 2: a quote within 'x\\u001B\"y'",
        "t.csv   ! aESC,aESC~                 ! line 1: the column 'a\\u001B' is named twice",
        "t.jsonl ! {\"aESC\":1}~               ! line 1: it is no JSON: ",
        "t.jsonl ! {\"a\":1}~{\"a\":\"\\u001b[31m\"}~ ! line 2, column 'a': '\\u001B[31m' is a text",
        "t.jsonl ! {\"a\\u001b\":{}}~          ! line 1, column 'a\\u001B': a cargo has no place",
      })
  void showsControlCharactersAsTheirNumbers(String name, String text, String shown)
      throws Exception {
    Path file = file(name, text.replace("ESC", "\u001b"));
    String told;
    try {
      told = read(file).columns().toString();
    } catch (TableException e) {
      told = e.getMessage();
    }
    assertThat(told).contains(shown).doesNotContain("\u001b", "\n");
  }
}
