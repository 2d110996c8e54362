package io.drayage.duckdb;

import static io.drayage.duckdb.Imported.assertRefused;
import static io.drayage.internal.Texts.format;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.tables.DeclaredTypes;
import io.drayage.tables.JdbcSource;
import io.drayage.tables.TableException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts that are not UTF-8 are refused with their location, and never imported as other texts. */
@Tag("ci")
final class IllFormedTextTest {
  /**
   * A stray byte, an overlong NUL, a surrogate, a pair of them, beyond Unicode, a cut character.
   */
  private static final List<String> ILL_FORMED =
      List.of("ff", "c080", "eda080", "eda0bdedb880", "f4908080", "e282");

  @TempDir Path folder;

  private Path file(String name, String before, String hex, String behind) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(before.getBytes(StandardCharsets.UTF_8));
    bytes.writeBytes(HexFormat.of().parseHex(hex));
    bytes.writeBytes(behind.getBytes(StandardCharsets.UTF_8));
    return Files.write(folder.resolve(name), bytes.toByteArray());
  }

  @Test
  void namesLineAndColumnOfText() throws Exception {
    String fine = "é€𝄞";
    for (String hex : ILL_FORMED) {
      String behind = hex.equals("eda080") ? fine.repeat(30_000) : "";
      for (String far : List.of("", behind)) { // The text is in the first buffer, or after it.
        String csv = "s,n\n%s,1\n%sx".formatted(fine, far);
        requireRefused(file("t.csv", csv, hex, "y,2\n"), ", line 3, column 's'");
        requireRefused(file("u.csv", csv, hex, ""), ", line 3, column 's'");
        requireRefused(file("v.csv", "s,n\r\na,1\r\n", hex, ",2\r\n"), ", line 3, column 's'");
        requireRefused(file("w.csv", "s,n\na,\"\"\"", hex, "\"\n"), ", line 2, column 'n'");
        requireRefused(file("x.csv", "s,n", hex, "\n1,2\n"), ", line 1");
        String json = "{\"n\":1,\"s\":\"%s\"}\n{\"n\":2,\"s\":\"%sx".formatted(fine, far);
        requireRefused(file("t.jsonl", json, hex, "y\"}\n"), ", line 2, column 's'");
        requireRefused(file("t.json", json, hex, "y\"}\n"), ", line 2, column 's'");
        requireRefused(file("u.json", "[{\"a\":1,\"", hex, "\":2}]"), ", line 1");
        requireRefused(
            file("v.jsonl", "{\"a\":1,\"b\":{\"c\":\"", hex, "\"}}"), ", line 1, column 'b'");
      }
    }
  }

  private static void requireRefused(Path file, String where) {
    assertRefused(
        () -> Imported.text(file, DeclaredTypes.NONE),
        file + where + ": it is not in UTF-8: convert the file with iconv, or save it as UTF-8");
  }

  @Test
  void namesRowAndColumnOfArrow() throws Exception {
    for (String hex : ILL_FORMED) {
      int row = hex.equals("eda080") ? 70_000 : 3;
      Path file = folder.resolve("t.arrows");
      try (BufferAllocator memory = new RootAllocator();
          VarCharVector vector = new VarCharVector("s", memory);
          VectorSchemaRoot rows = new VectorSchemaRoot(List.of(vector));
          ArrowStreamWriter writer =
              new ArrowStreamWriter(rows, null, Channels.newChannel(Files.newOutputStream(file)))) {
        for (int first = 0; first <= row; first += 10_000) {
          int count = Math.min(10_000, row + 1 - first);
          vector.allocateNew(20L * count, count);
          for (int i = 0; i < count - 1; i++) {
            vector.setSafe(i, "é€𝄞".getBytes(StandardCharsets.UTF_8));
          }
          vector.setSafe(count - 1, HexFormat.of().parseHex(first + count > row ? hex : "ef9fbf"));
          rows.setRowCount(count);
          writer.writeBatch();
        }
      }
      assertThatThrownBy(() -> Imported.file(file))
          .isInstanceOf(TableException.class)
          .message()
          .startsWith(format("the text in row %,d of ", row + 1))
          .contains(", column 's' is no well-formed UTF-8: byte 0x");
    }
  }

  /** The larger table is read column by column. */
  @ParameterizedTest
  @ValueSource(ints = {10, 4_300_000})
  void namesTableAndColumnOfParquet(int values) throws Exception {
    for (String hex : values > 10 ? List.of("eda0") : List.of("ff41", "c080", "eda0")) {
      Path file = folder.resolve("t.parquet");
      MadeFiles.make(
          format(
              "SELECT %s, CASE WHEN i = 5 THEN 'x@@y' END AS s FROM range(%d) r(i)",
              IntStream.range(0, 9).mapToObj(i -> "1 AS n" + i).collect(Collectors.joining(", ")),
              values / 10 + 6),
          file,
          "FORMAT parquet, COMPRESSION uncompressed");
      String bytes = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
      String ill = new String(HexFormat.of().parseHex(hex), StandardCharsets.ISO_8859_1);
      assertThat(bytes).contains("x@@y");
      Files.write(
          file, bytes.replace("x@@y", "x" + ill + "y").getBytes(StandardCharsets.ISO_8859_1));
      assertThatThrownBy(() -> Imported.file(file))
          .hasStackTraceContaining("table 't', column 's'")
          .hasStackTraceContaining("is not valid UTF8");
    }
  }

  @Test
  void namesRowAndColumnOfSqlite() throws Exception {
    for (String hex : ILL_FORMED) {
      JdbcSource sqlite =
          MadeFiles.sqlite(
              folder.resolve("s.db"),
              "DROP TABLE IF EXISTS s",
              "CREATE TABLE s (n BIGINT, v TEXT)",
              "INSERT INTO s VALUES (1, 'é€𝄞\ufffd'), (2, CAST(x'%s' AS TEXT))".formatted(hex));
      assertThatThrownBy(() -> Imported.select("SELECT * FROM s", sqlite))
          .isInstanceOf(TableException.class)
          .hasMessageStartingWith("table 't', row 2, column 'v': '")
          .hasMessageEndingWith("' is no text in UTF-8");
    }
  }

  /** The driver's strings are valid in Java, but not in UTF-8. */
  @Test
  void refusesHalfACharacterOfADriver() throws Exception {
    ResultSet result = one(ResultSet.class, "fine 𝄞", "x\ud800y");
    try (BufferAllocator memory = new RootAllocator();
        JdbcReader reader =
            JdbcReader.of("t", result, new TypeCasts(null, DeclaredTypes.NONE), memory)) {
      assertRefused(
          reader::loadNextBatch, "table 't', row 2, column 'v': the text has half a character...");
    }
  }

  /** Returns an object of a driver, whose only column has these texts. */
  private static <T> T one(Class<T> type, String... texts) {
    int[] row = {-1};
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "next" -> ++row[0] < texts.length;
                  case "getString" -> texts[row[0]];
                  case "wasNull" -> false;
                  case "getColumnCount" -> 1;
                  case "getColumnLabel" -> "v";
                  case "getColumnType" -> Types.VARCHAR;
                  case "getColumnTypeName", "getDatabaseProductName" -> "a driver's";
                  case "getMetaData", "getStatement", "getConnection" ->
                      one(method.getReturnType(), texts);
                  default -> throw new SQLException(method + " is not expected");
                }));
  }
}
