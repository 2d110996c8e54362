package io.drayage.cli.data;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.drayage.cli.CommandFixture;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs the whole command, with tiny columns. */
@Timeout(120)
final class ColumnsCommandTest extends CommandFixture {
  private static final int ROWS = 2_000;

  @Test
  void measuresAFolderWithEveryCodec() throws Exception {
    Path columns = Files.createDirectory(folder.resolve("columns"));
    ByteBuffer bytes = ByteBuffer.allocate(ROWS * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    IntStream.range(0, ROWS).forEach(i -> bytes.putInt(1_000 + i));
    Files.write(columns.resolve("ids.bin"), bytes.array());
    Files.write(
        columns.resolve("names.txt"),
        IntStream.range(0, ROWS).mapToObj(i -> "name " + i % 7).toList());
    Files.writeString(
        columns.resolve("manifest.csv"),
        "name,type,rows,source\nids,int32,2000,here\nnames,string,2000,here\n");
    Path json = folder.resolve("columns.json");
    Path picture = folder.resolve("columns.html");
    said(
        0,
        "columns ~/columns --iterations=1 --python=none --json=~/columns.json --picture=~/columns.html");
    assertThat(lines().get(0)).startsWith("column ").contains("balanced", "lz4", "zstd:9");
    assertThat(lines()).anyMatch(line -> line.startsWith("skipped: parquet: DuckDB is not"));
    assertThat(lines()).anyMatch(line -> line.startsWith("the input as one frame of zstd:3"));
    JsonNode result = json(json);
    assertThat(result.get("environment").get("commit").isTextual()).isTrue();
    assertThat(result.get("config").get("sizeBytes").isNull()).isTrue();
    assertThat(result.get("summary"))
        .extracting(row -> row.get("column").asText() + " " + row.get("codec").asText())
        .contains("ids columnar-fast", "ids lz4", "names columnar-dense", "names zstd:3")
        .hasSize(14);
    JsonNode row = result.get("summary").get(0);
    assertThat(row.get("type").asText()).isEqualTo("int32");
    assertThat(row.get("rawBytes").asLong()).isEqualTo(ROWS * Integer.BYTES);
    assertThat(row.get("ratio").asDouble())
        .isEqualTo(row.get("rawBytes").asDouble() / row.get("bytes").asLong());
    assertThat(row.get("encodeMBps").asDouble()).isPositive();
    assertThat(row.get("decodeMBps").asDouble()).isPositive();
    assertThat(row.get("encoding").asText()).isNotEmpty();
    assertThat(result.get("files").get("bytes").asLong())
        .isEqualTo(ROWS * Integer.BYTES + ROWS * "name 0\n".length());
    assertThat(result.get("skipped")).hasSize(1);
    assertThat(result.get("totals"))
        .extracting(total -> total.get("columns").asText())
        .contains("int32", "string", "numbers", "all");
    assertThat(picture).content().startsWith("<!DOCTYPE html>").contains("columnar-dense of names");
    said(0, "columns ~/columns --iterations=1 --python=none --column=names");
    assertThat(lines()).anyMatch(line -> line.startsWith("names "));
    assertThat(lines()).noneMatch(line -> line.startsWith("ids "));
    said(2, "columns ~/columns --column=name");
    assertThat(out + "" + err).contains("there is no column name, only ids, names");
  }

  @Test
  @Tag("nightly")
  void measuresPartOfALargeColumnAndSaysSo() throws Exception {
    Path file = folder.resolve("thesis.cargo");
    Path json = folder.resolve("columns.json");
    exits(0, "cargo", "write", "--size=20MB", file.toString());
    said(
        0,
        "columns ~/thesis.cargo --iterations=1 --python=none --sample=600KB --json=~/columns.json");
    assertThat(out + "" + err).contains("* measured on segments spread over the column");
    assertThat(json(json).get("summary"))
        .anySatisfy(
            row ->
                assertThat(row.get("rawBytes").asLong())
                    .isPositive()
                    .isLessThan(row.get("columnBytes").asLong()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a,int64,1|a.bin has 10 bytes; by the manifest it has 8",
        "a,int32,9|a.bin has 10 bytes; by the manifest it has 36",
        "a,int128,1|'a,int128,1' is not NAME,TYPE,ROWS with a type of",
        "a,int8,0|'a,int8,0' is not NAME,TYPE,ROWS",
        "b,int8,1|b.bin is missing, but the manifest names it",
        "t,string,1|t.txt, line 1 is not in UTF-8",
        "''|has no column with a row"
      })
  void refusesAFolderThatIsNotWhatItsManifestSays(String line, String reason) throws Exception {
    Files.write(folder.resolve("a.bin"), new byte[10]);
    Files.write(folder.resolve("t.txt"), new byte[] {(byte) 0xFF});
    Files.writeString(folder.resolve("manifest.csv"), "name,type,rows\n" + line + "\n");
    said(2, "columns ~");
    assertThat(errors().get(errors().size() - 1)).startsWith("drayage: ").contains(reason);
  }

  @Test
  void refusesAFolderWithNothingToMeasureAndTablesWithoutTheirEngine() throws Exception {
    said(2, "columns ~");
    assertThat(errors().get(0))
        .contains(
            "has neither a manifest.csv that names raw columns nor a table, whose name must end in .parquet");
    Files.writeString(folder.resolve("t.csv"), "a\n1\n");
    said(1, "columns ~/t.csv");
    assertThat(errors().get(0)).startsWith("drayage: DuckDB is not on the class path");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "~/t.xlsx         | ~/t.xlsx: it is no cargo, and the name of a table must end in .parquet, .csv, .tsv, .json, .jsonl, .ndjson, .arrow or .arrows, those of text also in .gz: save the sheet as CSV in UTF-8 (",
        "~/t.csv.zst      | .gz: decompress it with zstd -d, or compress it by gzip (",
        "~/t.duckdb       | .gz: cargo import --database reads it, and --select names its tables (",
        "~/t.cargo        | ~/t.cargo: it is no cargo, and the name of a table must end in",
        "~/no.csv         | ~/no.csv: there is no such file or folder; columns reads tables (.parquet",
        "''               | '': there is no such file or folder; columns reads tables (.parquet"
      })
  void saysWhatToDoWithWhatItDoesNotRead(String named, String reason) throws Exception {
    for (String name : List.of("t.xlsx", "t.csv.zst", "t.duckdb", "t.cargo")) {
      Files.writeString(folder.resolve(name), "PK");
    }
    assertThat(said(2, "columns " + named).lines())
        .singleElement()
        .asString()
        .contains(reason.replace("~", folder.toString()));
  }

  @Test
  void otherCommandsTellATableFromACargo() throws Exception {
    Path table = Files.writeString(folder.resolve("t.csv"), "a\n1\n");
    assertThat(run("throughput", "--cargo", table.toString())).isNotZero();
    assertThat(errors())
        .singleElement()
        .asString()
        .contains("is a file of another kind: 'drayage cargo import' makes a cargo of tables");
  }

  @Test
  void measuresTheSmallestColumns() throws Exception {
    Files.write(folder.resolve("ten.bin"), new byte[10]);
    Files.write(folder.resolve("one.bin"), new byte[8]);
    Files.writeString(folder.resolve("empty.txt"), "\n");
    Files.writeString(folder.resolve("more.csv"), "a\n1\n");
    Files.writeString(
        folder.resolve("manifest.csv"),
        "name,type,rows\nten,int8,10\none,double,1\nempty,string,1\n");
    said(0, "columns ~ --iterations=1 --python=none");
    assertThat(lines())
        .anyMatch(line -> line.startsWith("ten "))
        .anyMatch(line -> line.startsWith("one "))
        .anyMatch(line -> line.startsWith("empty "))
        .anyMatch(line -> line.endsWith("more.csv: manifest.csv does not name it"));
  }
}
