package io.drayage.cli.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.TableSchema;
import io.drayage.cli.CommandFixture;
import io.drayage.cli.options.OptionChecks;
import io.drayage.codec.CargoFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Model.CommandSpec;

/** Tests the command without the engine, which has its own class path. */
@Timeout(180)
final class CargoImportCommandTest extends CommandFixture {
  private static final String[] FILES =
      "t.csv t.TSV.gz t.json.gz t.jsonl t.parquet t.arrow t.arrows t.duckdb t.v2.duckdb temp.duckdb"
          .split(" ", -1);

  @Test
  void saysInALineThatThereIsNoEngine() throws Exception {
    Path file = Files.writeString(folder.resolve("t.csv"), "a\n1\n");
    Path cargo = folder.resolve("t.cargo");
    assertThat(said(1, "cargo import --table=" + file + " " + cargo).lines())
        .singleElement()
        .asString()
        .startsWith("drayage: DuckDB is not on the class path: ");
    assertThat(cargo).doesNotExist();
  }

  /** Options and their messages. t.* are empty files, except for t.csv. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--select=SELECT                                   | --select must be NAME=SQL",
        "--table=~/t.csv --updates=a                       | --updates and --old need each other",
        "--table=~/t.csv --old=~/t.csv --updates=a --create | --create adds tables, and --updates changes existing ones",
        "--table=~/t.csv --old=x=~/t.csv --updates=a       | --old x: there is no --table of that name",
        "--table=~                                         | is a folder: name its files",
        "--table=~/t.csv --types=a                         | --types must be COLUMN=TYPE",
        "--table=~/t.csv --types=a=INT --types=a=INT       | --types a is given twice",
        "--table=~/t.parquet DATES                         | NO_DATES",
        "--table=~/t.arrow DATES                           | NO_DATES",
        "--table=~/t.arrows DATES                          | NO_DATES",
        "--table=~/t.jsonl DATES                           | NO_DATES",
        "--table=~/t.json.gz DATES                         | NO_DATES",
        "--table=~/t.parquet --old=~/t.parquet --updates=a DATES | NO_DATES",
        "--table=~/t.arrow --old=~/t.arrow --updates=a DATES     | NO_DATES",
        "--table=~/t.arrows --old=~/t.arrows --updates=a DATES   | NO_DATES",
        "--table=~/t.jsonl --old=~/t.jsonl --updates=a DATES     | NO_DATES",
        "--table=~/t.json.gz --old=~/t.json.gz --updates=a DATES | NO_DATES",
        "--select=t=TABLE DATES                            | NO_DATES",
        "--table=~/t.parquet --database=~/t.arrow          | --database needs a --select",
        "--select=t=TABLE --database=~/temp.duckdb         | DuckDB reserves the name 'temp': write NAME=",
        "--select=t=TABLE --database=~/t.duckdb --database=~/t.v2.duckdb | another one is named 't': write NAME=",
        "--table=~/n=target/second.csv                     | both this file and target/second.csv are there: write ./",
      })
  void refusesInALineWhatIsWrong(String options, String message) throws Exception {
    for (String name : FILES) {
      Files.writeString(folder.resolve(name), name.equals("t.csv") ? "a\n1\n" : "");
    }
    Files.writeString(Path.of("target", "second.csv"), "a\n1\n");
    Files.createDirectories(folder.resolve("n=target"));
    Files.writeString(folder.resolve("n=target/second.csv"), "a\n1\n");
    String line = options.replace("DATES", "--dates=%d.%m.%Y");
    assertThat(said(2, "cargo import %s ~/t.cargo".formatted(line)).lines())
        .singleElement()
        .asString()
        .contains(
            message.replace(
                "NO_DATES",
                "--dates %d.%m.%Y has no effect: it is for CSV and TSV, and for columns in JSON"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"~/t.csv", "~/t.TSV.gz", "~/t.json.gz --types=a=DATE"})
  void readsDatesOfText(String table) throws Exception {
    for (String name : FILES) {
      Files.writeString(folder.resolve(name), "");
    }
    assertThat(said(1, "cargo import --dates=%d.%m.%Y ~/t.cargo --table=" + table))
        .contains("DuckDB is not on the class path");
  }

  @Test
  void aFileWhoseNameHasAnEqualsSignIsAFile() throws Exception {
    Path in = Files.createDirectories(folder.resolve("year=2024"));
    Path whole = Files.writeString(in.resolve("x.csv"), "a\n1\n");
    OptionChecks checks = new OptionChecks(CommandSpec.create());
    assertThat(NamedFile.of("--table", whole.toString(), checks))
        .isEqualTo(new NamedFile("x", whole, false));
    assertThat(NamedFile.of("--table", "t=" + whole, checks))
        .isEqualTo(new NamedFile("t", whole, true));
    assertThat(NamedFile.of("--table", folder.resolve("a.b.csv") + "=" + whole, checks).file())
        .isEqualTo(whole);
    Path dotted = Files.writeString(folder.resolve("a.b.CSV.gz"), "");
    assertThat(NamedFile.of("--table", dotted.toString(), checks).name()).isEqualTo("a.b");
  }

  @Test
  void replacesNoDevice() throws Exception {
    Path file = Files.writeString(folder.resolve("t.csv"), "a\n1\n");
    assertThat(said(1, "cargo import --table=" + file + " /dev/null"))
        .isEqualToIgnoringNewLines(
            "drayage: /dev/null: is a device or a pipe: only a regular file is replaced");
    Files.createSymbolicLink(folder.resolve("link"), folder.resolve("nowhere"));
    assertThat(said(1, "cargo write --size=1KB ~/link")).contains("is a link to a missing file");
  }

  @Test
  void showsWhichTablesMustBeNew() throws Exception {
    Path file = folder.resolve("new.cargo");
    ChangeCargo cargo =
        ChangeCargo.builder(new UUID(1, 2), 0)
            .newTable(TableSchema.of("a", ColumnSchema.of("x", ColumnType.INT)))
            .newTable(TableSchema.of("b", ColumnSchema.of("x", ColumnType.INT)))
            .mustBeNew("b")
            .build();
    CargoFile.write(cargo, file);

    exits(0, "cargo", "show", file.toString());
    assertThat(lines())
        .contains(
            "adds table a ('x' INT NOT NULL)",
            "adds table b, which must be new ('x' INT NOT NULL)");
  }
}
