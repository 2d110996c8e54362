package io.drayage.bench.cargoes;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.TableChanges;
import io.drayage.cargo.TableSchema;
import io.drayage.cargo.TypesTable;
import io.drayage.codec.CargoFile;
import io.drayage.database.InitialTable;
import io.drayage.segment.Manifest;
import io.drayage.segment.Part;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A cargo from a file of {@link CargoFile}. The tables that it changes are inferred: they have the
 * columns that the cargo names, and the rows that its updates and deletes need.
 *
 * <p>The cargo is loaded as one on snapshot 0. So its digest differs from that of the written
 * cargo, unless that was based on 0 too. It keeps its transaction id.
 */
record FileCargoSource(
    Path file,
    long baseSnapshot,
    long rawBytes,
    long memoryBytes,
    long heapBytes,
    List<TableSchema> newTables,
    List<InitialTable> baseTables)
    implements CargoSource {
  /**
   * Heap bytes of a text besides its letters in a system with strings: object, array header,
   * reference, padding.
   */
  private static final int TEXT_HEAP_BYTES = 60;

  /**
   * Opens a file: checks it, and reads it once to find the tables that it needs.
   *
   * @throws IOException if the file cannot be read or is no whole cargo; the message names the file
   * @throws IllegalArgumentException if no table fits its changes; the message names the table
   * @throws IllegalStateException if this JVM's heap is too small; the message has both sizes
   */
  static FileCargoSource open(Path file) throws IOException {
    Manifest manifest = CargoFile.inspect(file);
    long rawBytes = manifest.rawBytes();
    long memoryBytes = manifest.memoryBytes();
    long heapBytes = memoryBytes + textHeapBytes(manifest);
    CargoSources.requireHeap(heapBytes, describe(file, rawBytes));
    return new FileCargoSource(
        file,
        manifest.baseSnapshot(),
        rawBytes,
        memoryBytes,
        heapBytes,
        manifest.newTables(),
        tables(CargoFile.read(file, memoryBytes)));
  }

  /**
   * Returns the tables that the cargo adds, and else inferred tables. Types of columns are those
   * that the cargo states.
   */
  private static List<InitialTable> tables(ChangeCargo cargo) {
    Map<String, InitialTable> tables = new LinkedHashMap<>();
    for (TableChanges changes : cargo.tables()) {
      tables.put(changes.table(), InferredTable.of(changes));
    }
    for (TableSchema added : cargo.newTables()) {
      InitialTable inferred = tables.get(added.name());
      tables.put(added.name(), new InitialTable(added, inferred == null ? 0 : inferred.rows()));
    }
    TypesTable types = TypesTable.of(cargo);
    return tables.values().stream().map(table -> typed(table, types)).toList();
  }

  private static InitialTable typed(InitialTable table, TypesTable types) {
    TableSchema schema = table.schema();
    Map<String, String> said = new LinkedHashMap<>();
    for (ColumnSchema column : schema.columns()) {
      String type = types.find(schema.name(), column.name());
      if (type != null) {
        said.put(column.name(), type);
      }
    }
    return new InitialTable(schema, table.rows(), said);
  }

  private static long textHeapBytes(Manifest manifest) {
    return manifest.parts().stream()
        .filter(part -> part.type() == ColumnType.STRING)
        .mapToLong(Part::rowCount)
        .map(texts -> texts * TEXT_HEAP_BYTES)
        .sum();
  }

  private static String describe(Path file, long rawBytes) {
    return format("cargo file %s, %,d raw bytes", file.getFileName(), rawBytes);
  }

  @Override
  public String describe() {
    return describe(file, rawBytes);
  }

  @Override
  public List<Path> files() {
    return List.of(file);
  }

  /**
   * {@inheritDoc}
   *
   * @throws UncheckedIOException if the file can no longer be read, or has changed
   */
  @Override
  public ChangeCargo load() {
    CargoSources.requireHeap(heapBytes, describe());
    try {
      ChangeCargo cargo = CargoFile.read(file, memoryBytes);
      return cargo.as(cargo.transactionId(), 0);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read cargo file " + file, e);
    }
  }
}
