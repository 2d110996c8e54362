package io.drayage.segment;

import io.drayage.cargo.ColumnType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Writes the payload of a manifest field by field, valid or not. */
final class ManifestBytes {
  private final ByteBuffer bytes = ByteBuffer.allocate(1 << 20).order(ByteOrder.LITTLE_ENDIAN);

  /** Begins the manifest of transaction 1-2 on snapshot 3. */
  ManifestBytes(int tableCount) {
    bytes.putLong(1).putLong(2).putLong(3).putInt(tableCount);
  }

  /** Begins the new tables, behind the tables. */
  ManifestBytes adding(int newTableCount) {
    bytes.putInt(newTableCount);
    return this;
  }

  ManifestBytes newTable(String name, int columnCount) {
    return newTable(0, name, columnCount);
  }

  ManifestBytes newTable(int flags, String name, int columnCount) {
    bytes.put((byte) flags);
    return table(name, columnCount);
  }

  ManifestBytes newColumn(int type, int flags, String name) {
    bytes.put((byte) type).put((byte) flags);
    name(name);
    return this;
  }

  ManifestBytes table(String name, int partCount) {
    name(name);
    bytes.putInt(partCount);
    return this;
  }

  /** Adds a part in one segment. */
  ManifestBytes part(PartKind kind, @Nullable ColumnType type, String column, int rows, long raw) {
    int typeId = type == null ? 0 : type.id();
    return rows == 0
        ? part(kind.id(), typeId, 0, column, rows, raw)
        : part(kind.id(), typeId, 0, column, rows, raw, 1, rows);
  }

  /**
   * Adds a part.
   *
   * @param runs segments and rows per segment of each run
   */
  ManifestBytes part(
      int kind, int type, int flags, String column, long rows, long raw, int... runs) {
    bytes.put((byte) kind).put((byte) type).put((byte) flags);
    name(column);
    bytes.putLong(rows).putLong(raw).putInt(runs.length / 2);
    for (int number : runs) {
      bytes.putInt(number);
    }
    return this;
  }

  /** Adds ids of deleted rows, in at most one segment. */
  ManifestBytes ids(int type, int flags, String column, int ids, long raw, long tableRows) {
    bytes.put((byte) PartKind.DELETED_IDS.id()).put((byte) type).put((byte) flags);
    name(column);
    bytes.putLong(ids).putLong(raw).putLong(tableRows).putInt(ids == 0 ? 0 : 1);
    if (ids > 0) {
      bytes.putInt(1).putInt(ids);
    }
    return this;
  }

  /** Replaces the number of runs. None follows. */
  ManifestBytes lastInt(int number) {
    bytes.putInt(bytes.position() - Integer.BYTES, number);
    return this;
  }

  private void name(String name) {
    byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
    bytes.putShort((short) utf8.length).put(utf8);
  }

  ByteBuffer payload() {
    return bytes.slice(0, bytes.position()).order(ByteOrder.LITTLE_ENDIAN);
  }
}
