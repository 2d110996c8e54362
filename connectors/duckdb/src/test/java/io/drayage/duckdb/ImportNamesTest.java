package io.drayage.duckdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.Names;
import io.drayage.tables.DeclaredTypes;
import io.drayage.tables.FileFormat;
import io.drayage.tables.ImportPlan;
import io.drayage.tables.QueryFormat;
import io.drayage.tables.SqlSession;
import io.drayage.tables.TableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Names of files, tables and columns are never read as patterns or SQL. */
@Tag("ci")
@Timeout(180)
final class ImportNamesTest {
  @TempDir private Path folder;

  /** Returns a cargo of a column {@code v} for each table, with the table's number as value. */
  private static ChangeCargo cargo(String... tables) {
    ChangeCargo.Builder cargo = ChangeCargo.builder(new UUID(0, 0), 0);
    for (int i = 0; i < tables.length; i++) {
      long[][] values = {{i + 1}};
      cargo.table(tables[i], table -> table.insert("v", ColumnValues.of(values)));
    }
    return cargo.build();
  }

  private Path exported(FileFormat format, Path into) throws IOException {
    return new DuckDbEngine().export(cargo("t"), format, into).get(0);
  }

  @Test
  void readsTheFileOfThatNameAlone() throws Exception {
    List<String> names =
        List.of(
            "a[1]", "a*", "?", "a{1,2}", "~", "~t", "it's", "\"q\"", "a\\b", "[!a]\\*", "v=9",
            "s3:x", "%31", "städte", " a", "-");
    Map<String, Path> files = new LinkedHashMap<>();
    Map<String, List<String>> expected = new LinkedHashMap<>();
    for (FileFormat format : FileFormat.values()) {
      String ending = "." + format.name().toLowerCase(Locale.ROOT);
      Path one = new DuckDbEngine().export(cargo("t"), format, folder).get(0);
      Path other = new DuckDbEngine().export(cargo("t", "other"), format, folder).get(1);
      for (String name : names) {
        Path in = Files.createDirectories(folder.resolve(name));
        for (String decoy : List.of("a1", "ab", "x", "a", "t1", "b", "1")) {
          Files.copy(other, in.resolve(decoy + ending));
          Path beside = Files.createDirectories(folder.resolve(decoy));
          Files.copy(other, beside.resolve(name + ending));
        }
        files.put(name + ending, Files.copy(one, in.resolve(name + ending)));
        expected.put(name + ending + ".v", List.of("1"));
      }
    }
    Imported read = Imported.of(Imported.plan(files));
    assertThat(read.values()).isEqualTo(expected);
  }

  @ParameterizedTest
  @EnumSource
  void namesOfFoldersAreNoColumns(FileFormat format) throws Exception {
    Path file = new DuckDbEngine().export(cargo("t"), format, folder).get(0);
    Path in = Files.createDirectories(folder.resolve("v=9").resolve("year=2024"));
    Imported read = Imported.file(Files.copy(file, in.resolve(file.getFileName())));
    assertThat(read.values()).hasToString("{v=[1]}");
    assertThat(read.digest()).isEqualTo(Imported.file(file).digest());
  }

  @Test
  void namesATableThatIsTooLongForAFile() {
    String table = "ü".repeat(121);
    assertThatThrownBy(() -> new DuckDbEngine().export(cargo("t", table), FileFormat.CSV, folder))
        .isInstanceOf(TableException.class)
        .hasMessageContaining("table '%s': its file's name would have 242 bytes", table);
    assertThat(folder).isEmptyDirectory();
  }

  @ParameterizedTest
  @EnumSource
  void writesAFileForEachTable(FileFormat format) throws Exception {
    String[] tables =
        "a/b|a_b|a\\b|a%2Fb|t|T|%54|..|.|con|NUL.x|~|-| x |a.b|Straße|STRASSE|é|e\u0301|drayage_columns|a:b|x."
            .split("\\|", -1);
    List<Path> files = new DuckDbEngine().export(cargo(tables), format, folder);
    assertThat(files).hasSize(tables.length).doesNotHaveDuplicates();
    List<String> folded = new ArrayList<>();
    Map<String, Path> byNumber = new LinkedHashMap<>();
    for (Path file : files) {
      assertThat(file.getParent()).isEqualTo(folder);
      byNumber.put("t" + (byNumber.size() + 1), file);
      folded.add(String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT));
    }
    Imported.of(Imported.plan(byNumber))
        .values()
        .forEach((name, values) -> assertThat(values).containsExactly(name.replaceAll("\\D", "")));
    assertThat(folded).doesNotHaveDuplicates();
    assertThat(files.stream().map(file -> file.getFileName().toString()).limit(7))
        .map(name -> name.substring(0, name.lastIndexOf('.')))
        .containsExactly("a%2Fb", "a_b", "a%5Cb", "a%252Fb", "t", "%54", "%2554");
  }

  @Test
  void replacesRegularFilesAlone() throws Exception {
    Path there = Files.writeString(folder.resolve("there"), "old");
    Files.createSymbolicLink(folder.resolve("t.parquet"), folder.resolve("nowhere"));
    assertThatThrownBy(() -> exported(FileFormat.PARQUET, folder))
        .hasMessageContaining("is a link to a missing file");
    Files.createSymbolicLink(folder.resolve("t.csv"), there);
    exported(FileFormat.CSV, folder);
    assertThat(folder.resolve("t.csv")).isSymbolicLink();
    assertThat(there).hasContent("v\n1\n");
    try (var files = Files.list(folder)) {
      assertThat(files).hasSize(3);
    }
  }

  @Test
  void refusesTablesThatSqlTakesForOne() throws Exception {
    Path file = Files.writeString(folder.resolve("t.csv"), "a\n1\n");
    Map<String, Path> both = new LinkedHashMap<>();
    both.put("t", file);
    both.put("T", file);
    assertThatThrownBy(() -> Imported.of(Imported.plan(both)))
        .hasMessage(
            "the tables 't' and 'T' differ in case alone, and SQL takes them for one: rename one");
    for (String name : List.of("drayage_columns", "Drayage_Columns")) {
      assertThatThrownBy(() -> Imported.of(Imported.plan(Map.of(name, file))))
          .isInstanceOf(TableException.class)
          .hasMessageStartingWith("'" + name + "': the table of that name holds the types");
    }
  }

  @Test
  void refusesColumnsThatSqlTakesForOne() throws Exception {
    List<Path> files = new ArrayList<>();
    files.add(Files.writeString(folder.resolve("t.csv"), "A,b,a\n1,2,3\n"));
    files.add(Files.writeString(folder.resolve("t.tsv"), "A\tb\ta\n1\t2\t3\n"));
    files.add(Files.writeString(folder.resolve("t.jsonl"), "{\"A\":1,\"b\":2}\n{\"a\":3}\n"));
    ChangeCargo cargo =
        ChangeCargo.builder(new UUID(0, 0), 0)
            .table(
                "t",
                t ->
                    t.insert("A", ColumnValues.of(new long[][] {{1}}))
                        .insert("a", ColumnValues.of(new long[][] {{2}})))
            .build();
    files.addAll(new DuckDbEngine().export(cargo, FileFormat.ARROW, folder));
    for (Path file : files) {
      assertThatThrownBy(() -> Imported.file(file))
          .as(file.toString())
          .isInstanceOf(TableException.class)
          .hasMessageContaining("the columns 'A' and 'a' differ in case alone");
    }
    assertThatThrownBy(() -> Imported.select("SELECT 1 AS \"A\", 2 AS a"))
        .hasMessage(
            "table 't': the columns 'A' and 'a' differ in case alone, and SQL takes them for one: rename one");
    assertThatThrownBy(() -> Imported.select("SELECT 1 AS a, 2 AS a"))
        .hasMessage("table 't': the columns 'a' and 'a' have one name: rename one");
    for (FileFormat format : List.of(FileFormat.CSV, FileFormat.PARQUET)) {
      assertThatThrownBy(() -> new DuckDbEngine().export(cargo, format, folder))
          .hasMessageStartingWith(
              "table 't', which --format arrow keeps: the columns 'A' and 'a' differ in case alone");
    }
    assertThat(Imported.select("SELECT 1 AS \"Ä\", 2 AS \"ä\"").values()).hasSize(2);
  }

  /** A commit refuses such tables, but another source may have them. */
  @Test
  void sqlMixesNoTablesThatDifferInCase() throws Exception {
    String[] tables = {"t", "T", "u", "drayage_columns", "Drayage_Columns"};
    try (SqlSession session = new DuckDbEngine().session(new LiveCargo(cargo(tables)), false)) {
      for (String from : List.of("t", "\"T\"", "drayage_columns")) {
        assertThatThrownBy(
                () -> LiveCargo.printed(session, QueryFormat.CSV, "SELECT * FROM " + from))
            .as(from)
            .isInstanceOf(TableException.class)
            .hasMessageContaining("differ in case alone, and SQL takes them for one");
      }
      assertThat(LiveCargo.printed(session, QueryFormat.CSV, "SELECT v FROM u"))
          .isEqualTo("v\n3\n");
    }
  }

  @Test
  void aQueryReadsNoColumnsOutOfFolders() throws Exception {
    Path in = Files.createDirectory(folder.resolve("v=9"));
    Path file = exported(FileFormat.PARQUET, in);
    assertThatThrownBy(() -> Imported.select("SELECT * FROM '" + file + "'"))
        .hasMessageStartingWith("table 't': folders of '" + file + "' would be columns");
    assertThatThrownBy(
            () ->
                Imported.select("WITH x AS (SELECT 1) SELECT * FROM read_parquet('" + file + "')"))
        .hasMessageContaining("would be columns");
    String options =
        "SELECT v FROM read_parquet('%s', hive_partitioning = %s) WHERE 'a=b/c' <> 'x'";
    assertThat(Imported.select(options.formatted(file, false)).only()).containsExactly("1");
    assertThat(Imported.select("SELECT 'a=b/c' AS x WHERE 'a=b/c' <> 'd'").only()).hasSize(1);
  }

  @Test
  void saysThatADatabaseIsNone() throws Exception {
    Path file = Files.writeString(folder.resolve("x.db"), "SQLite format 3\0 and more");
    ImportPlan plan =
        new ImportPlan(
            Map.of(),
            Map.of("t", "SELECT 1"),
            Map.of("x", file),
            Map.of(),
            List.of(),
            null,
            DeclaredTypes.NONE,
            new UUID(1, 2),
            0);
    assertThatThrownBy(() -> Imported.of(plan))
        .hasMessageStartingWith(file + ": it is no database of DuckDB, but of SQLite: --jdbc");
  }

  /** Names and values of CSV may contain anything. */
  @Test
  void readsTheCsvThatItWrites() throws Exception {
    List<String> odd =
        List.of(
            " a ", "", "x", "\"", "a,b", "a;b", "a\tb", "a|b", "#", "'", "\n", "\r", "\r\n", "NULL",
            "é𝄞", "\\", "a\"b\"", "\ufeffx", " ", "007");
    ChangeCargo.Builder cargo = ChangeCargo.builder(new UUID(0, 0), 0);
    List<Map<String, List<String>>> tables = new ArrayList<>();
    for (int width : new int[] {1, 2, 5}) {
      for (int first = 0; first < odd.size(); first += width) {
        int from = first;
        Map<String, List<String>> expected = new LinkedHashMap<>();
        tables.add(expected);
        cargo.table(
            "t" + tables.size(),
            table -> {
              for (int i = 0; i < width && from + i < odd.size(); i++) {
                // Values may contain characters that names cannot.
                String name = "n" + Names.printable(odd.get(from + i));
                String[] values = odd.toArray(String[]::new);
                values[i] = null;
                expected.put(name, Arrays.stream(values).map(String::valueOf).toList());
                table.insert(name, ColumnValues.ofTexts(new String[][] {values}));
              }
            });
      }
    }
    List<Path> files = new DuckDbEngine().export(cargo.build(), FileFormat.CSV, folder);
    assertThat(files).hasSameSizeAs(tables);
    for (int i = 0; i < files.size(); i++) {
      assertThat(Imported.text(files.get(i), DeclaredTypes.NONE).values()).isEqualTo(tables.get(i));
    }
  }

  /** A number without its zero would be read as a text. */
  @Test
  void readsTheDecimalsThatItWrites() throws Exception {
    ChangeCargo cargo =
        LiveCargo.typed("DECIMAL(5,5)", ColumnValues.of(new long[][] {{1, -50_000, 0}}));
    Path file = new DuckDbEngine().export(cargo, FileFormat.CSV, folder).get(0);
    assertThat(file).hasContent("v\n0.00001\n-0.50000\n0.00000");
    DeclaredTypes types = new DeclaredTypes(Map.of("v", "DECIMAL(5,5)"), List.of());
    assertThat(Imported.file(file, types).only()).containsExactly("1", "-50000", "0");
    Path parquet = new DuckDbEngine().export(cargo, FileFormat.PARQUET, folder).get(0);
    assertThat(Imported.file(parquet).type()).startsWith("DECIMAL(5,5) -> LONG");
  }
}
