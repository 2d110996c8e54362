package io.drayage.bench.cargoes;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnBuilder;
import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.IllegalTextException;
import io.drayage.cargo.TableSchema;
import io.drayage.database.InitialTable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * A folder of columns as a cargo. Each is inserted into a table of its own, named like the column.
 *
 * <p>{@code manifest.csv} names the columns, a line each after a heading that begins with {@code
 * name,type,rows}; further fields are ignored. A column of type {@code int8}, {@code int16}, {@code
 * int32}, {@code int64}, {@code float} or {@code double} is in {@code NAME.bin}, as little-endian
 * values; one of {@code string} is in {@code NAME.txt}, a line a value, in UTF-8 and ended by a
 * line feed.
 */
record ColumnFolder(Path folder, List<Entry> entries) implements CargoSource {
  static final String MANIFEST = "manifest.csv";

  private static final String HEADING = "name,type,rows";
  private static final String COLUMN = "value";
  private static final int TEXT_HEAP_BYTES = 100;

  private static final Map<String, ColumnType> TYPES =
      Map.of(
          "int8", ColumnType.BYTE,
          "int16", ColumnType.SHORT,
          "int32", ColumnType.INT,
          "int64", ColumnType.LONG,
          "float", ColumnType.FLOAT,
          "double", ColumnType.DOUBLE,
          "string", ColumnType.STRING);

  /** A line of the manifest. */
  record Entry(String name, ColumnType type, long rows) {
    String file() {
      return name + (type == ColumnType.STRING ? ".txt" : ".bin");
    }
  }

  /**
   * Reads the manifest of a folder.
   *
   * @throws IOException if it cannot be read
   * @throws IllegalArgumentException if it is not valid; the message names the line
   */
  static ColumnFolder open(Path folder) throws IOException {
    Path manifest = folder.resolve(MANIFEST);
    List<String> lines = Files.readAllLines(manifest);
    if (lines.isEmpty() || !lines.get(0).startsWith(HEADING)) {
      throw new IllegalArgumentException(
          "%s does not begin with the heading %s".formatted(manifest, HEADING));
    }
    List<Entry> entries = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (String line : lines.subList(1, lines.size())) {
      if (!line.isBlank()) {
        Entry entry = entry(manifest, line);
        if (!names.add(entry.name())) {
          throw new IllegalArgumentException(
              "%s names '%s' twice".formatted(manifest, entry.name()));
        }
        entries.add(entry);
      }
    }
    return new ColumnFolder(folder, List.copyOf(entries));
  }

  private static Entry entry(Path manifest, String line) {
    String[] fields = line.split(",", -1);
    ColumnType type = fields.length < 3 ? null : TYPES.get(fields[1]);
    if (type == null || !fields[2].matches("[1-9][0-9]{0,8}")) {
      throw new IllegalArgumentException(
          "%s: '%s' is not NAME,TYPE,ROWS with a type of %s and 1 to 999,999,999 rows"
              .formatted(manifest, line, TYPES.keySet().stream().sorted().toList()));
    }
    return new Entry(fields[0], type, Long.parseLong(fields[2]));
  }

  @Override
  public String describe() {
    return format("%,d columns of folder %s", entries.size(), folder.getFileName());
  }

  @Override
  public List<Path> files() {
    return entries.stream().map(entry -> folder.resolve(entry.file())).toList();
  }

  @Override
  public List<InitialTable> baseTables() {
    return entries.stream().map(ColumnFolder::table).toList();
  }

  private static InitialTable table(Entry entry) {
    boolean nullable = entry.type() == ColumnType.STRING;
    List<ColumnSchema> columns = List.of(new ColumnSchema(COLUMN, entry.type(), nullable));
    return new InitialTable(new TableSchema(entry.name(), columns), 0);
  }

  @Override
  public long heapBytes() {
    return entries.stream()
        .mapToLong(
            e -> e.rows() * (e.type().isFixedWidth() ? e.type().widthBytes() : TEXT_HEAP_BYTES))
        .sum();
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException also if a column differs from the manifest, naming its file
   */
  @Override
  public ChangeCargo load() {
    CargoSources.requireHeap(heapBytes(), describe());
    UUID id = UUID.nameUUIDFromBytes(entries.toString().getBytes(StandardCharsets.UTF_8));
    ChangeCargo.Builder cargo = ChangeCargo.builder(id, 0);
    for (Entry entry : entries) {
      ColumnValues values = values(entry);
      cargo.table(entry.name(), changes -> changes.insert(COLUMN, values));
    }
    return cargo.build();
  }

  private ColumnValues values(Entry entry) {
    Path file = folder.resolve(entry.file());
    ColumnBuilder column = new ColumnBuilder(entry.type());
    try {
      if (entry.type() == ColumnType.STRING) {
        addLines(Files.readAllBytes(file), column);
        long lines = column.rowCount();
        require(lines == entry.rows(), file, "%,d lines", lines, entry.rows());
      } else {
        long bytes = entry.rows() * entry.type().widthBytes();
        require(Files.size(file) == bytes, file, "%,d bytes", Files.size(file), bytes);
        ByteBuffer values = ByteBuffer.wrap(Files.readAllBytes(file));
        addAll(values.order(ByteOrder.LITTLE_ENDIAN), entry.type(), column);
      }
    } catch (IllegalTextException e) {
      throw new IllegalStateException(format("%s, line %,d is not in UTF-8", file, e.row() + 1), e);
    } catch (NoSuchFileException e) {
      throw new IllegalStateException(file + " is missing, but the manifest names it", e);
    } catch (IOException e) {
      throw new IllegalStateException("cannot read %s: %s".formatted(file, e), e);
    }
    return column.build();
  }

  private static void require(boolean isRight, Path file, String what, long is, long stated) {
    if (!isRight) {
      throw new IllegalStateException(
          ("%s has " + what + "; by the manifest it has %,d").formatted(file, is, stated));
    }
  }

  private static void addLines(byte[] text, ColumnBuilder column) {
    int start = 0;
    for (int at = 0; at < text.length; at++) {
      if (text[at] == '\n') {
        column.addText(text, start, at - start);
        start = at + 1;
      }
    }
    if (start < text.length) {
      column.addText(text, start, text.length - start);
    }
  }

  private static void addAll(ByteBuffer bytes, ColumnType type, ColumnBuilder column) {
    while (bytes.remaining() >= type.widthBytes()) {
      switch (type) {
        case BYTE -> column.addByte(bytes.get());
        case SHORT -> column.addShort(bytes.getShort());
        case INT -> column.addInt(bytes.getInt());
        case LONG -> column.addLong(bytes.getLong());
        case FLOAT -> column.addFloat(bytes.getFloat());
        case DOUBLE -> column.addDouble(bytes.getDouble());
        default -> throw new IllegalStateException("no column of " + type + " is in a file");
      }
    }
  }
}
