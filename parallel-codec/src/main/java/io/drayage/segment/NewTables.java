package io.drayage.segment;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.TableSchema;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The tables that a cargo drops and then adds, at the end of its manifest; no bytes if there are
 * none:
 *
 * <pre>
 *   tables  | table count i32 | table ...
 *   table   | flags u8 | name | column count i32 | column ...
 *   column  | type u8 | flags u8 | name
 * </pre>
 *
 * Bit 0 of a table's flags is 1 if the table must be new, bit 1 if the table is dropped: then it
 * has no columns and no other flag. Bit 0 of a column's flags is 1 if a value may be null. The
 * other bits are 0.
 *
 * @param dropped the names of the dropped tables
 * @param tables the new tables
 * @param mustBeNew the names of the tables that must be new
 */
record NewTables(List<String> dropped, List<TableSchema> tables, Set<String> mustBeNew) {
  private static final int NEW_FLAG = 1;
  private static final int DROP_FLAG = 2;
  private static final int NULLABLE_FLAG = 1;

  static NewTables of(Manifest manifest) {
    return new NewTables(manifest.droppedTables(), manifest.newTables(), manifest.mustBeNew());
  }

  private int count() {
    return dropped.size() + tables.size();
  }

  long encodedBytes() {
    long bytes = count() == 0 ? 0 : Integer.BYTES;
    for (String table : dropped) {
      bytes += 1 + ManifestCodec.nameBytes(table) + Integer.BYTES;
    }
    for (TableSchema table : tables) {
      bytes += 1 + ManifestCodec.nameBytes(table.name()) + Integer.BYTES;
      for (ColumnSchema column : table.columns()) {
        bytes += 2 + ManifestCodec.nameBytes(column.name());
      }
    }
    return bytes;
  }

  void write(ByteBuffer frame) {
    if (count() > 0) {
      frame.putInt(count());
    }
    for (String table : dropped) {
      frame.put((byte) DROP_FLAG);
      ManifestCodec.putName(frame, table);
      frame.putInt(0);
    }
    for (TableSchema table : tables) {
      frame.put((byte) (mustBeNew.contains(table.name()) ? NEW_FLAG : 0));
      ManifestCodec.putName(frame, table.name());
      frame.putInt(table.columns().size());
      for (ColumnSchema column : table.columns()) {
        frame.put((byte) column.type().id());
        frame.put((byte) (column.nullable() ? NULLABLE_FLAG : 0));
        ManifestCodec.putName(frame, column.name());
      }
    }
  }

  /**
   * Reads and checks the tables.
   *
   * @throws ShipmentException {@code LIMIT} or {@code MANIFEST}, with table and column
   */
  static NewTables read(ByteBuffer in) throws ShipmentException {
    List<String> dropped = new ArrayList<>();
    List<TableSchema> tables = new ArrayList<>();
    Set<String> mustBeNew = new HashSet<>();
    int count = 0;
    if (in.hasRemaining()) {
      count = ManifestCodec.count("new tables", in.getInt(), Manifest.MAX_TABLES);
      if (count == 0) {
        throw new ShipmentException(Fault.MANIFEST, "0 new tables follow the manifest");
      }
    }
    for (int t = 0; t < count; t++) {
      int flags = in.get() & 0xFF;
      String name = ManifestCodec.checkedName("table", in);
      if ((flags & ~NEW_FLAG) != 0 && flags != DROP_FLAG) {
        throw new ShipmentException(
            Fault.MANIFEST, format("new table '%s': unknown flags 0x%02x", name, flags));
      }
      if ((flags & NEW_FLAG) != 0) {
        mustBeNew.add(name);
      }
      int columnCount = ManifestCodec.count("columns", in.getInt(), Manifest.MAX_PARTS);
      if (flags == DROP_FLAG && columnCount == 0) {
        dropped.add(name);
        continue;
      }
      if (flags == DROP_FLAG) {
        throw new ShipmentException(
            Fault.MANIFEST, format("dropped table '%s' has %,d columns", name, columnCount));
      }
      List<ColumnSchema> columns = new ArrayList<>();
      for (int c = 0; c < columnCount; c++) {
        columns.add(readColumn(name, in));
      }
      try {
        tables.add(new TableSchema(name, columns));
      } catch (IllegalArgumentException e) {
        throw new ShipmentException(Fault.MANIFEST, String.valueOf(e.getMessage()), e);
      }
    }
    return new NewTables(dropped, tables, mustBeNew);
  }

  private static ColumnSchema readColumn(String table, ByteBuffer in) throws ShipmentException {
    ColumnType type = ManifestCodec.type(in.get() & 0xFF);
    int flags = in.get() & 0xFF;
    String column = ManifestCodec.checkedName("column", in);
    if ((flags & ~NULLABLE_FLAG) != 0) {
      throw new ShipmentException(
          Fault.MANIFEST,
          format("column '%s' of new table '%s': unknown flags 0x%02x", column, table, flags));
    }
    return new ColumnSchema(column, type, (flags & NULLABLE_FLAG) != 0);
  }
}
