package io.drayage.cli.data;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.TableChanges;
import io.drayage.cargo.TableSchema;
import io.drayage.cargo.TypesTable;
import io.drayage.cli.options.OptionChecks;
import io.drayage.codec.CargoFile;
import io.drayage.codec.CargoFrames;
import io.drayage.codec.WholeFile;
import io.drayage.internal.Counted;
import io.drayage.segment.Manifest;
import io.drayage.segment.PartKind;
import io.drayage.tables.DeclaredTypes;
import io.drayage.tables.ImportPlan;
import io.drayage.tables.ImportedTables;
import io.drayage.tables.JdbcSource;
import io.drayage.tables.TableEngine;
import io.drayage.tables.TableException;
import io.drayage.tables.TableFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code drayage cargo import}. */
@Command(
    name = "import",
    mixinStandardHelpOptions = true,
    description = {
      "Makes a cargo file of tables in Parquet, CSV, JSON lines, Arrow IPC, or a database that DuckDB or"
          + " JDBC reaches.",
      "",
      "The cargo inserts the rows, or with --updates changes a table that has the rows of --old."
          + " The file appears when it is complete. Columns are read one after another, so that a"
          + " table may be larger than memory.",
      ""
    },
    footer = {
      "",
      "Examples, with tables of yours:",
      "  drayage cargo import --table lineitem=lineitem.parquet my.cargo",
      "  drayage cargo import --create --table lineitem=lineitem.parquet my.cargo",
      "  drayage cargo import --database shop.duckdb --select \"orders=SELECT * FROM shop.orders\" my.cargo",
      "  drayage cargo import --table t.csv --types zip=VARCHAR --dates %%d.%%m.%%Y my.cargo",
      "  drayage cargo import --table stock=today.csv --old stock=yesterday.csv --updates sku my.cargo",
      "Examples, with a server of PostgreSQL and its driver:",
      "  drayage cargo import --jdbc jdbc:postgresql://host/shop --jdbc-driver postgresql.jar \\",
      "      --jdbc-user me --jdbc-password-file secret --select \"orders=SELECT * FROM orders\" my.cargo"
    })
final class CargoImportCommand implements Callable<Integer> {
  /** Names that a DuckDB database cannot have. */
  private static final Set<String> RESERVED = Set.of("temp", "system", "main", "work", "memory");

  @Option(
      names = "--table",
      paramLabel = "[NAME=]FILE",
      description =
          "A table, by default named as its file: .parquet, .csv, .tsv, .json, .jsonl, .ndjson,"
              + " .arrow or .arrows; the text formats also with .gz. May be repeated.")
  private List<String> tables = List.of();

  @Option(
      names = "--select",
      paramLabel = "NAME=SQL",
      description = "A table by a query of DuckDB, or of --jdbc. May be repeated.")
  private List<String> selects = List.of();

  @Option(
      names = "--database",
      paramLabel = "[NAME=]FILE",
      description =
          "A database file of DuckDB; --select names its tables as NAME.TABLE. The default of NAME"
              + " is the file's name up to its first dot. May be repeated.")
  private List<String> databases = List.of();

  @Option(
      names = "--types",
      paramLabel = "[TABLE.]COLUMN=TYPE",
      description =
          "The type of a column, in place of the type in the file; in --old as well. A value that"
              + " this type would change is refused with its row. May be repeated.")
  private List<String> types = List.of();

  @Option(
      names = "--dates",
      paramLabel = "FORMAT",
      description =
          "A format of dates in text files besides ISO 8601: %%d.%%m.%%Y, or %%m/%%d/%%Y %%H:%%M."
              + " May be repeated.")
  private List<String> dates = List.of();

  @Option(
      names = "--jdbc",
      paramLabel = "URL",
      description =
          "A database for JDBC; each --select is then a query in its own SQL, such as"
              + " \"orders=SELECT * FROM orders\".")
  private @Nullable String jdbc;

  @Option(
      names = "--jdbc-driver",
      paramLabel = "JAR",
      description = "The jar of its driver (default: a driver on the class path).")
  private @Nullable Path jdbcDriver;

  @Option(names = "--jdbc-user", paramLabel = "NAME", description = "Its user.")
  private @Nullable String jdbcUser;

  @Option(
      names = "--jdbc-password-file",
      paramLabel = "FILE",
      description = "A file whose first line is the password.")
  private @Nullable Path jdbcPasswordFile;

  @Option(
      names = "--old",
      paramLabel = "[NAME=]FILE",
      description =
          "The current rows of the table of that name, in the order of their numbers: a file that"
              + " was imported into an empty table.")
  private List<String> old = List.of();

  @Option(
      names = "--updates",
      paramLabel = "KEY",
      split = ",",
      description =
          "Make a change set: the inserts, updates and deletes that make --table of --old. Rows"
              + " with equal KEY columns are the same row.")
  private List<String> keys = List.of();

  @Option(
      names = "--create",
      description =
          "The cargo adds its tables to the database that it is committed to, unless they exist"
              + " with the same columns. Every column of a new table is nullable.")
  private boolean create;

  @Option(
      names = "--base",
      paramLabel = "N",
      defaultValue = "0",
      description = "The snapshot on which the cargo is made (default: ${DEFAULT-VALUE}).")
  private long base;

  @Parameters(paramLabel = "CARGO", description = "The file to write; replaced if it exists.")
  private Path file = Path.of("");

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    OptionChecks checks = new OptionChecks(spec);
    WholeFile.requireReplaceable(file);
    Map<String, Path> files = files("--table", tables, checks);
    Map<String, Path> oldFiles = files("--old", old, checks);
    for (Path read : Stream.concat(files.values().stream(), oldFiles.values().stream()).toList()) {
      checks.require(
          !Files.exists(file) || !Files.isSameFile(read, file),
          "%s is read, and would be replaced by the cargo: name another file".formatted(file));
    }
    Map<String, String> queries = new LinkedHashMap<>();
    for (String select : selects) {
      int equals = select.indexOf('=');
      checks.require(equals > 0, "--select must be NAME=SQL, not '%s'".formatted(select));
      String name = select.substring(0, equals).strip();
      checks.require(
          queries.put(name, select.substring(equals + 1)) == null,
          "--select %s: this table is named twice".formatted(name));
    }
    checks.require(!files.isEmpty() || !queries.isEmpty(), "name a table: --table or --select");
    checks.require(
        files.keySet().stream().noneMatch(queries::containsKey), "a table is named twice");
    checks.require(keys.isEmpty() == oldFiles.isEmpty(), "--updates and --old need each other");
    checks.require(
        !create || keys.isEmpty(), "--create adds tables, and --updates changes existing ones");
    for (String name : oldFiles.keySet()) {
      checks.require(
          files.containsKey(name) || queries.containsKey(name),
          "--old %s: there is no --table of that name".formatted(name));
    }
    checks.require(
        keys.isEmpty() || oldFiles.size() == files.size() + queries.size(),
        "--updates needs an --old for each table");
    requireDates(files, oldFiles, checks);
    ImportPlan plan =
        new ImportPlan(
            files,
            queries,
            databases(checks),
            oldFiles,
            keys,
            jdbc(checks),
            types(checks),
            UUID.randomUUID(),
            base);
    return write(plan);
  }

  /** Refuses formats of dates that no file needs. */
  private void requireDates(
      Map<String, Path> files, Map<String, Path> oldFiles, OptionChecks checks) {
    boolean isRead =
        Stream.concat(files.values().stream(), oldFiles.values().stream())
            .anyMatch(
                file ->
                    TableFile.isDelimited(file) || (TableFile.isText(file) && !types.isEmpty()));
    checks.require(
        dates.isEmpty() || isRead,
        "--dates %s has no effect: it is for CSV and TSV, and for columns in JSON that --types declares: in a --select write strptime(COLUMN, '%s')"
            .formatted(dates.isEmpty() ? "" : dates.get(0), dates.isEmpty() ? "" : dates.get(0)));
  }

  private @Nullable JdbcSource jdbc(OptionChecks checks) throws IOException {
    if (jdbc == null) {
      checks.require(
          jdbcDriver == null && jdbcUser == null && jdbcPasswordFile == null,
          "--jdbc-driver, --jdbc-user and --jdbc-password-file are for --jdbc");
      return null;
    }
    checks.require(!selects.isEmpty(), "--jdbc needs a --select");
    checks.require(databases.isEmpty(), "--database is not for --jdbc");
    for (Path each : Stream.of(jdbcDriver, jdbcPasswordFile).filter(Objects::nonNull).toList()) {
      checks.require(Files.isRegularFile(each), each + ": there is no such file");
    }
    checks.requireSecret("--jdbc-password-file", jdbcPasswordFile);
    return new JdbcSource(jdbc, jdbcDriver, jdbcUser, jdbcPasswordFile);
  }

  private static Map<String, Path> files(String option, List<String> values, OptionChecks checks) {
    Map<String, Path> files = new LinkedHashMap<>();
    for (String value : values) {
      NamedFile named = NamedFile.of(option, value, checks);
      checks.require(
          files.put(named.name(), named.file()) == null,
          "%s names '%s' twice: write NAME=FILE".formatted(option, named.name()));
    }
    return files;
  }

  private Map<String, Path> databases(OptionChecks checks) {
    checks.require(databases.isEmpty() || !selects.isEmpty(), "--database needs a --select");
    Map<String, Path> byName = new LinkedHashMap<>();
    for (String value : databases) {
      NamedFile named = NamedFile.of("--database", value, checks);
      int dot = named.name().indexOf('.');
      String name = named.isNamed() || dot < 1 ? named.name() : named.name().substring(0, dot);
      checks.require(
          !RESERVED.contains(name.toLowerCase(Locale.ROOT)),
          "--database %s: DuckDB reserves the name '%s': write NAME=%s"
              .formatted(value, name, named.file()));
      checks.require(
          byName.keySet().stream().noneMatch(name::equalsIgnoreCase),
          "--database %s: another one is named '%s': write NAME=%s"
              .formatted(value, name, named.file()));
      byName.put(name, named.file());
    }
    return byName;
  }

  private DeclaredTypes types(OptionChecks checks) {
    Map<String, String> byColumn = new LinkedHashMap<>();
    for (String value : types) {
      int equals = value.lastIndexOf('=');
      checks.require(
          equals > 0 && equals < value.length() - 1,
          "--types must be COLUMN=TYPE or TABLE.COLUMN=TYPE, not '%s'".formatted(value));
      checks.require(
          byColumn.put(value.substring(0, equals), value.substring(equals + 1)) == null,
          "--types %s is given twice".formatted(value.substring(0, equals)));
    }
    return new DeclaredTypes(byColumn, dates);
  }

  /** Returns a cargo that also adds its tables. */
  private static ChangeCargo creating(ChangeCargo cargo) {
    List<TableSchema> added = new ArrayList<>();
    for (TableChanges table : cargo.tables()) {
      // Like transactor --tables.
      boolean nullable = !table.table().equals(TypesTable.NAME);
      added.add(
          new TableSchema(
              table.table(),
              table.insertedColumns().stream()
                  .map(each -> new ColumnSchema(each.column(), each.values().type(), nullable))
                  .toList()));
    }
    return cargo.adding(added);
  }

  private int write(ImportPlan plan) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    long startNs = System.nanoTime();
    try (ImportedTables tables =
        TableEngine.installed().open(plan, spec.commandLine().getErr()::println)) {
      tables.types().forEach(out::println);
      ChangeCargo cargo = create ? creating(tables.cargo()) : tables.cargo();
      CargoFrames.Written written = CargoFile.writeOnce(cargo, file);
      cargo.newTables().forEach(table -> out.printf("adds table %s%n", table.name()));
      double seconds = (System.nanoTime() - startNs) / 1e9;
      Manifest manifest = written.manifest();
      long rows =
          manifest.parts().stream()
              .filter(part -> part.kind() != PartKind.UPDATED_ROWS)
              .mapToLong(part -> part.rowCount())
              .sum();
      out.printf(
          Locale.ROOT,
          "%s: %s, %s in %s, transaction %s on snapshot %d%n",
          file,
          Counted.of(written.bytes(), "byte"),
          Counted.of(rows, "value"),
          Counted.of(manifest.tables().size(), "table"),
          plan.transactionId(),
          plan.baseSnapshot());
      out.printf(
          Locale.ROOT,
          "%s in %,.1f s: %,.0f rows/s, %,.0f MB/s of raw values, digest of the rows %s%n",
          Counted.of(tables.rows(), "row"),
          seconds,
          tables.rows() / seconds,
          manifest.rawBytes() / 1e6 / seconds,
          CargoDigest.toHex(tables.digest()));
    } catch (IllegalArgumentException e) {
      throw new TableException(e.getMessage(), e); // A name or a text that no cargo can have.
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return 0;
  }
}
