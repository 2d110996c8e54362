package io.drayage.cli.data;

import io.drayage.bench.cargoes.CargoSource;
import io.drayage.bench.cargoes.CargoSources;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.TypesTable;
import io.drayage.cli.options.OptionChecks;
import io.drayage.internal.Counted;
import io.drayage.internal.Texts;
import io.drayage.tables.DeclaredTypes;
import io.drayage.tables.ImportPlan;
import io.drayage.tables.ImportedTables;
import io.drayage.tables.TableEngine;
import io.drayage.tables.TableFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The input of {@code drayage columns}. */
final class ColumnsInput implements AutoCloseable {
  private static final String MANIFEST = "manifest.csv";

  private static final String READS =
      "tables (%s), files that 'drayage cargo import' or 'write' made, folders of tables or of raw columns, and generated cargoes: thesis, tpch[:sf=N], columns, random"
          .formatted(TableFile.ENDINGS);

  private final String description;
  private final ChangeCargo cargo;
  private final List<Path> files;
  private final List<Path> notRead;

  /** Read while they are measured; null if the cargo is in memory. */
  private final @Nullable ImportedTables tables;

  private ColumnsInput(
      String description,
      ChangeCargo cargo,
      List<Path> files,
      List<Path> notRead,
      @Nullable ImportedTables tables) {
    this.description = description;
    this.cargo = cargo;
    this.files = files;
    this.notRead = notRead;
    this.tables = tables;
  }

  /**
   * Opens the input that an argument names.
   *
   * @param progress receives a line for each file
   */
  static ColumnsInput open(
      String named, long size, long seed, OptionChecks checks, Consumer<String> progress)
      throws IOException {
    if (CargoSources.isGenerated(named)) {
      return ofSource(named, size, seed, List.of(), checks, progress);
    }
    Path path =
        NamedFile.requireThere(
            named.isEmpty() ? "''" : named,
            NamedFile.path(named),
            named,
            ": there is no such file or folder; columns reads " + READS,
            checks);
    if (Files.isDirectory(path)) {
      return ofFolder(path, size, seed, checks, progress);
    }
    NamedFile.requireReadable(named, path, checks);
    if (TableFile.isTable(path)) {
      return ofTables(path, List.of(path), progress);
    }
    checks.require(
        CargoSources.isCargo(path),
        "%s: it is no cargo, and the name of a table must end in %s%s"
            .formatted(named, TableFile.ENDINGS, TableFile.hint(path)));
    return ofSource(named, size, seed, List.of(), checks, progress);
  }

  private static ColumnsInput ofFolder(
      Path folder, long size, long seed, OptionChecks checks, Consumer<String> progress)
      throws IOException {
    List<Path> found = tables(folder);
    if (Files.isRegularFile(folder.resolve(MANIFEST))) {
      found.remove(folder.resolve(MANIFEST));
      return ofSource(folder.toString(), size, seed, found, checks, progress);
    }
    checks.require(
        !found.isEmpty(),
        "%s has neither a %s that names raw columns nor a table, whose name must end in %s"
            .formatted(folder, MANIFEST, TableFile.ENDINGS));
    return ofTables(folder, found, progress);
  }

  private static List<Path> tables(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> Files.isRegularFile(file) && TableFile.isTable(file))
          .sorted()
          .collect(Collectors.toList());
    }
  }

  private static ColumnsInput ofTables(Path named, List<Path> files, Consumer<String> progress)
      throws IOException {
    Map<String, Path> tables = new LinkedHashMap<>();
    for (Path file : files) {
      String name = String.valueOf(file.getFileName());
      String stem = name.substring(0, name.indexOf('.', 1));
      String table = stem;
      for (int i = 2; isTaken(table, tables.keySet()); i++) {
        table = i == 2 && !isTaken(name, tables.keySet()) ? name : Texts.format("%s (%d)", name, i);
      }
      tables.put(table, file);
    }
    ImportedTables imported =
        TableEngine.installed()
            .open(
                new ImportPlan(
                    tables,
                    Map.of(),
                    Map.of(),
                    Map.of(),
                    List.of(),
                    null,
                    DeclaredTypes.NONE,
                    new UUID(0, 0),
                    0),
                progress);
    String description =
        files.size() == 1
            ? String.valueOf(files.get(0).getFileName())
            : "%s of folder %s".formatted(Counted.of(files.size(), "table"), named.getFileName());
    return new ColumnsInput(description, imported.cargo(), files, List.of(), imported);
  }

  /** Whether a name is taken, ignoring case as SQL does, or is that of the table of types. */
  private static boolean isTaken(String name, Set<String> tables) {
    return name.equalsIgnoreCase(TypesTable.NAME)
        || tables.stream().anyMatch(name::equalsIgnoreCase);
  }

  private static ColumnsInput ofSource(
      String named,
      long size,
      long seed,
      List<Path> notRead,
      OptionChecks checks,
      Consumer<String> progress) {
    CargoSource source = checks.valid(() -> CargoSources.parse(named, size, seed));
    progress.accept("measuring " + source.describe());
    ChangeCargo cargo = checks.valid(source::load);
    return new ColumnsInput(source.describe(), cargo, source.files(), notRead, null);
  }

  String description() {
    return description;
  }

  ChangeCargo cargo() {
    return cargo;
  }

  /** Returns the files of the input; none if it is generated. */
  List<Path> files() {
    return files;
  }

  /** Returns the files of tables in the same folder. */
  List<Path> notRead() {
    return notRead;
  }

  /** Returns the formats of the files: {@code parquet}, {@code cargo}, {@code columns}. */
  String format() {
    return files.stream()
        .map(file -> String.valueOf(file.getFileName()))
        .map(name -> name.substring(name.lastIndexOf('.') + 1))
        .distinct()
        .sorted()
        .collect(Collectors.joining(", "));
  }

  @Override
  public void close() {
    if (tables != null) {
      tables.close();
    }
  }
}
