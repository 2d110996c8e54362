package io.drayage.duckdb;

import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.InsertedColumn;
import io.drayage.cargo.Latin1Texts;
import io.drayage.cargo.TableChanges;
import io.drayage.cli.tables.TableException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.ArrowType;

/** The inserted rows of a table as Arrow batches, a page each. Not thread-safe. */
final class LiveRowsReader extends BatchReader {
  private static final int DECIMAL_BYTES = 16;

  private final TableChanges table;
  private int page;

  LiveRowsReader(TableChanges table, KeptTypes kept, BufferAllocator memory) {
    super(
        table.insertedColumns().stream().map(InsertedColumn::column).toList(),
        table.insertedColumns().stream().map(column -> kept.of(table.table(), column)).toList(),
        memory);
    this.table = table;
  }

  @Override
  boolean fillBatch() throws IOException {
    VectorSchemaRoot root = getVectorSchemaRoot();
    List<InsertedColumn> columns = table.insertedColumns();
    if (columns.isEmpty() || page >= columns.get(0).values().pageCount()) {
      return false;
    }
    int rows = columns.get(0).values().rowsInPage(page);
    for (int i = 0; i < columns.size(); i++) {
      fill(root.getVector(i), columns.get(i), rows);
    }
    root.setRowCount(rows);
    page++;
    return true;
  }

  private void fill(FieldVector vector, InsertedColumn column, int rows) throws IOException {
    ColumnValues values = column.values();
    long first = (long) page * values.rowsPerPage();
    Latin1Texts narrow = values.texts(page);
    if (narrow != null) {
      NarrowVector.fill((VarCharVector) vector, narrow);
      return;
    }
    Object source = values.page(page);
    if (source instanceof String[] texts) {
      fill((VarCharVector) vector, texts, rows, column, first);
      return;
    }
    BaseFixedWidthVector fixed = (BaseFixedWidthVector) vector;
    fixed.allocateNew(rows);
    copy(source, fixed, rows);
    fixed.getValidityBuffer().setOne(0L, (rows + 7) / 8);
    if (values.validity() != null) {
      for (int i = 0; i < rows; i++) {
        if (values.isNull(first + i)) {
          BitVectorHelper.unsetBit(fixed.getValidityBuffer(), i);
        }
      }
    }
    fixed.setValueCount(rows);
  }

  private static void copy(Object source, BaseFixedWidthVector vector, int rows) {
    ArrowBuf target = vector.getDataBuffer();
    if (source instanceof boolean[] values) {
      for (int i = 0; i < rows; i++) {
        BitVectorHelper.setValidityBit(target, i, values[i] ? 1 : 0);
      }
    } else if (source instanceof byte[] values) {
      bytes(target, rows).put(values, 0, rows);
    } else if (source instanceof short[] values) {
      bytes(target, rows * Short.BYTES).asShortBuffer().put(values, 0, rows);
    } else if (source instanceof int[] values) {
      bytes(target, rows * Integer.BYTES).asIntBuffer().put(values, 0, rows);
    } else if (source instanceof float[] values) {
      bytes(target, rows * Float.BYTES).asFloatBuffer().put(values, 0, rows);
    } else if (source instanceof double[] values) {
      bytes(target, rows * Double.BYTES).asDoubleBuffer().put(values, 0, rows);
    } else if (vector.getField().getType() instanceof ArrowType.Decimal) {
      long[] values = (long[]) source;
      for (int i = 0; i < rows; i++) {
        target.setLong((long) i * DECIMAL_BYTES, values[i]);
        target.setLong((long) i * DECIMAL_BYTES + Long.BYTES, values[i] >> (Long.SIZE - 1));
      }
    } else {
      bytes(target, rows * Long.BYTES).asLongBuffer().put((long[]) source, 0, rows);
    }
  }

  private static ByteBuffer bytes(ArrowBuf buffer, int bytes) {
    return buffer.nioBuffer(0, bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private void fill(
      VarCharVector vector, String[] texts, int rows, InsertedColumn column, long first)
      throws IOException {
    vector.allocateNew(rows);
    for (int i = 0; i < rows; i++) {
      if (texts[i] == null) {
        vector.setNull(i);
      } else {
        requireWellFormed(texts[i], column, first + i);
        vector.setSafe(i, texts[i].getBytes(StandardCharsets.UTF_8));
      }
    }
    vector.setValueCount(rows);
  }

  /** What has no UTF-8 would come out as another text. */
  private void requireWellFormed(String text, InsertedColumn column, long row) throws IOException {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        if (i + 1 == text.length()
            || !Character.isSurrogatePair(text.charAt(i), text.charAt(i + 1))) {
          throw new TableException(
              "table '%s', column '%s', row %,d: the text has half a character, which no file has a place for"
                  .formatted(table.table(), column.column(), row));
        }
        i++;
      }
    }
  }
}
