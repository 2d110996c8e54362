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
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine.Model.CommandSpec;

/** Without the engine, which has a class path of its own. */
@Timeout(180)
final class CargoImportCommandTest extends CommandFixture {
  @Test
  void saysInALineThatThereIsNoEngine() throws Exception {
    Path file = Files.writeString(folder.resolve("t.csv"), "a\n1\n");
    Path cargo = folder.resolve("t.cargo");
    int code = runAlone("cargo", "import", "--table=" + file, cargo.toString());
    assertThat(code).isEqualTo(1);
    assertThat(errors())
        .singleElement()
        .asString()
        .startsWith("drayage: DuckDB is not on the class path: ");
    assertThat(cargo).doesNotExist();
  }

  @Test
  void refusesWhatDoesNotGoTogether() throws Exception {
    String cargo = folder.resolve("t.cargo").toString();
    String file = Files.writeString(folder.resolve("t.csv"), "a\n1\n").toString();
    assertRefused("--select must be NAME=SQL", "--select=SELECT 1", cargo);
    assertRefused("--updates and --old need each other", "--table=" + file, "--updates=a", cargo);
    assertRefused(
        "--create adds tables, and --updates changes what they have",
        "--table=" + file,
        "--old=" + file,
        "--updates=a",
        "--create",
        cargo);
    assertRefused(
        "--old x: there is no --table of that name",
        "--table=" + file,
        "--old=x=" + file,
        "--updates=a",
        cargo);
  }

  @Test
  void saysWhatToDoWithWhatIsNoFile() throws Exception {
    String cargo = folder.resolve("t.cargo").toString();
    assertRefused("is a folder: name its files", "--table=" + folder, cargo);
    String file = Files.writeString(folder.resolve("t.csv"), "a\n1\n").toString();
    assertRefused("--types must be COLUMN=TYPE", "--table=" + file, "--types=a", cargo);
    assertRefused(
        "--types a is given twice", "--table=" + file, "--types=a=INT", "--types=a=INT", cargo);
  }

  @Test
  void refusesOptionsThatNothingIsReadBy() throws Exception {
    String cargo = folder.resolve("t.cargo").toString();
    String dates = "--dates=%d.%m.%Y";
    String message =
        "--dates %d.%m.%Y has no effect: it is for CSV and TSV, and for columns in JSON";
    for (String name : List.of("t.parquet", "t.arrow", "t.arrows", "t.jsonl", "t.json.gz")) {
      Path file = Files.writeString(folder.resolve(name), "");
      assertRefused(message, "--table=" + file, dates, cargo);
      assertRefused(message, "--table=" + file, "--old=" + file, "--updates=a", dates, cargo);
    }
    assertRefused(message, "--select=t=SELECT 1", dates, cargo);
    assertRefused(
        "--database needs a --select",
        "--table=" + folder.resolve("t.parquet"),
        "--database=" + folder.resolve("t.arrow"),
        cargo);
    for (String[] read :
        List.of(
            new String[] {"t.csv"},
            new String[] {"t.TSV.gz"},
            new String[] {"t.json.gz", "a=DATE"})) {
      Path file = Files.writeString(folder.resolve(read[0]), "");
      List<String> options = new ArrayList<>(List.of("cargo", "import", "--table=" + file, dates));
      if (read.length > 1) {
        options.add("--types=" + read[1]);
      }
      options.add(cargo);
      assertThat(runAlone(options.toArray(String[]::new))).isEqualTo(1);
      assertThat(errors().get(0)).contains("DuckDB is not on the class path");
    }
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
  void refusesANameThatIsAlsoAFile() throws Exception {
    String name = folder.resolve("n").toString();
    Path second = Files.writeString(Path.of("target", "second.csv"), "a\n1\n");
    Files.createDirectories(Path.of(name + "=target"));
    Files.writeString(Path.of(name + "=target", "second.csv"), "a\n1\n");
    assertRefused(
        "both this file and target/second.csv are there: write ./",
        "--table=" + name + "=" + second,
        folder.resolve("t.cargo").toString());
  }

  @Test
  void databasesHaveNamesOfTheirOwn() throws Exception {
    String cargo = folder.resolve("t.cargo").toString();
    String select = "--select=t=SELECT 1";
    Path temp = Files.writeString(folder.resolve("temp.duckdb"), "");
    assertRefused(
        "DuckDB keeps the name 'temp' for itself: write NAME=",
        "--database=" + temp,
        select,
        cargo);
    Path shop = Files.writeString(folder.resolve("shop.duckdb"), "");
    Path other = Files.writeString(folder.resolve("shop.v2.duckdb"), "");
    assertRefused(
        "another one is named 'shop': write NAME=",
        "--database=" + shop,
        "--database=" + other,
        select,
        cargo);
  }

  @Test
  void replacesNoDevice() throws Exception {
    Path file = Files.writeString(folder.resolve("t.csv"), "a\n1\n");
    int code = runAlone("cargo", "import", "--table=" + file, "/dev/null");
    assertThat(code).isEqualTo(1);
    assertThat(errors())
        .containsExactly(
            "drayage: /dev/null: is a device or a pipe: only a regular file is replaced");
    Path link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("nowhere"));
    assertThat(run("cargo", "write", "--size=1KB", link.toString())).isNotZero();
    assertThat(errors()).last().asString().contains("is a link to what is not there");
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

    assertThat(run("cargo", "show", file.toString())).isZero();
    assertThat(lines())
        .contains(
            "adds table a ('x' INT NOT NULL)",
            "adds table b, which must be new ('x' INT NOT NULL)");
  }

  private void assertRefused(String message, String... options) {
    String[] arguments = new String[2 + options.length];
    arguments[0] = "cargo";
    arguments[1] = "import";
    System.arraycopy(options, 0, arguments, 2, options.length);
    int code = runAlone(arguments);
    assertThat(code).isEqualTo(2);
    assertThat(errors()).singleElement().asString().contains(message);
  }
}
