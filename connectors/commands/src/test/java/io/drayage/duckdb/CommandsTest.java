package io.drayage.duckdb;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.drayage.cli.Drayage;
import io.drayage.codec.CargoFile;
import io.drayage.duckdb.sql.Sql;
import io.drayage.segment.Manifest;
import java.io.ByteArrayInputStream;
import java.io.FileInputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

@Timeout(180)
final class CommandsTest {
  @TempDir private Path folder;

  record Ran(int code, List<String> out, List<String> err) {}

  static Ran run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command = Drayage.commandLine();
    command.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    int code = command.execute(arguments);
    return new Ran(code, out.toString().lines().toList(), err.toString().lines().toList());
  }

  @Test
  void importsAFile() throws Exception {
    Path file = Files.writeString(folder.resolve("prices.csv"), "sku,price\na,1.5\nb,\n");
    Path cargo = folder.resolve("prices.cargo");
    Ran ran = run("cargo", "import", "--table=" + file, "--base=7", cargo.toString());

    assertThat(ran.code()).as(ran.toString()).isZero();
    assertThat(ran.out().subList(0, 2))
        .containsExactly("prices.sku: VARCHAR -> STRING", "prices.price: DOUBLE -> DOUBLE");
    assertThat(ran.out())
        .last(InstanceOfAssertFactories.STRING)
        .containsPattern(
            "^2 rows in [0-9.,]+ s: [0-9,]+ rows/s, .* digest of the rows [0-9a-f]{16}$");
    Manifest manifest = CargoFile.inspect(cargo);
    assertThat(manifest.baseSnapshot()).isEqualTo(7);
    assertThat(manifest.parts()).hasSize(2);
    assertThat(run("cargo", "show", cargo.toString()).code()).isZero();
  }

  @Test
  void leavesNothingHalfWritten() throws Exception {
    Path file = Files.writeString(folder.resolve("t.txt"), "a");
    Path cargo = folder.resolve("t.cargo");
    Ran ran = run("cargo", "import", "--table=" + file, cargo.toString());
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err().get(ran.err().size() - 1)).contains("its name must end in .parquet");
    Ran longText =
        run("cargo", "import", "--select=t=SELECT repeat('x', 3000000) AS s", cargo.toString());
    assertThat(longText.code()).isEqualTo(1);
    assertThat(longText.err().get(longText.err().size() - 1))
        .startsWith("drayage: table 't', row 1, column 's': the text has 3,000,000 bytes");
    assertThat(folder).isDirectoryNotContaining("glob:**.cargo*");
  }

  @Test
  void doesNotReplaceWhatItReads() throws Exception {
    Path file = Files.writeString(folder.resolve("t.csv"), "a\n1\n");
    Path link = Files.createSymbolicLink(folder.resolve("link"), file);
    for (Path out : List.of(file, link)) {
      Ran ran = run("cargo", "import", "--table=" + file, out.toString());
      assertThat(ran.code()).isEqualTo(2);
      assertThat(ran.err().get(0)).contains("is read, and would be replaced by the cargo");
    }
    assertThat(file).hasContent("a\n1\n");
  }

  @Test
  void saysWhatATableIsMadeOf() {
    Path cargo = folder.resolve("t.cargo");
    for (String statement : List.of("SET threads = 1", "COPY (SELECT 1) TO 'x.csv'")) {
      Ran ran = run("cargo", "import", "--select=t=" + statement, cargo.toString());
      assertThat(ran.code()).isEqualTo(1);
      assertThat(ran.err())
          .last(InstanceOfAssertFactories.STRING)
          .contains("a table is made of a query that returns rows");
    }
  }

  @Test
  void namesWhatIsWrongWithStandardInput() throws Exception {
    InputStream before = System.in;
    InputStream latin1 = new ByteArrayInputStream("SELECT 'gr\u00fcn'\n".getBytes(ISO_8859_1));
    FileInputStream closed = new FileInputStream("/dev/null");
    closed.close();
    try {
      for (InputStream in : List.of(latin1, closed)) {
        System.setIn(in);
        Ran ran =
            run("snapshot", "sql", "--store=fs:../../cluster/node/src/test/resources/golden/store");
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err())
            .containsExactly(
                in == closed
                    ? "drayage: standard input: Stream Closed"
                    : "drayage: standard input is not in UTF-8: convert it with iconv");
        assertThat(ran.code()).isOne();
      }
    } finally {
      System.setIn(before);
    }
  }

  @Test
  void namesAnEmptyStoreAndAMissingOne() {
    Ran ran = run("snapshot", "sql", "--store=fs:" + folder, "SELECT 1");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err().get(0)).contains("has no database yet");
    Ran missing =
        run("snapshot", "export", "--store=fs:" + folder.resolve("no"), "--out=" + folder);
    assertThat(missing.code()).isEqualTo(1);
    assertThat(missing.err().get(0)).contains("no such file or folder");
  }

  @Test
  void measuresTheColumnsOfFilesBesideParquet() throws Exception {
    Path tables = Files.createDirectory(folder.resolve("tables"));
    Files.writeString(
        tables.resolve("stock.csv"), "day,price,name\n2024-01-01,1.5,a\n2024-01-02,,ä\n");
    Files.writeString(tables.resolve("empty.csv"), "a\n");
    try (Sql sql = new Sql(Files.createDirectory(folder.resolve("work")))) {
      sql.run(
          "COPY (SELECT range AS id, range %% 7 = 0 AS flag FROM range(300000)) TO %s (FORMAT parquet)"
              .formatted(Sql.text(tables.resolve("large.parquet"))));
    }
    Path json = folder.resolve("columns.json");
    Ran ran =
        run(
            "columns",
            tables.toString(),
            "--iterations=1",
            "--sample=300KB",
            "--python=none",
            "--json=" + json);

    assertThat(ran.code()).as(ran.toString()).isZero();
    assertThat(ran.out())
        .anyMatch(line -> line.startsWith("the input itself (csv, parquet) "))
        .contains("skipped: empty.a has no rows");
    JsonNode result = JsonMapper.builder().build().readTree(json.toFile());
    assertThat(result.get("summary"))
        .extracting(row -> row.get("column").asText() + " " + row.get("codec").asText())
        .contains(
            "large.id parquet",
            "large.flag parquet:zstd",
            "stock.day parquet",
            "stock.price columnar-balanced",
            "stock.name parquet:zstd")
        .hasSize(5 * 9);
    assertThat(result.get("summary"))
        .filteredOn(row -> row.get("column").asText().equals("large.id"))
        .allSatisfy(
            row -> {
              assertThat(row.get("columnBytes").asLong()).isEqualTo(8 * 300_000);
              assertThat(row.get("rawBytes").asLong()).isPositive().isLessThan(8 * 300_000);
            });
    assertThat(result.get("versions").get("parquet").asText()).startsWith("DuckDB ");
  }
}
