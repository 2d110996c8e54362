package io.drayage.bench.cargoes;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.cargoes.ColumnKinds.ColumnKind;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnBuilder;
import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TableSchema;
import io.drayage.database.InitialTable;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.LongSupplier;

/**
 * Rows inserted into one table, with a column of every kind of a list, to see the effect of a codec
 * on each. One thread makes them.
 *
 * @param table its table, which is empty before
 * @param sizeBytes approximate raw bytes
 */
record ColumnsCargo(String table, List<ColumnKind> kinds, long sizeBytes, long seed)
    implements CargoSource {
  /** Approximate raw bytes of a text. */
  private static final int TEXT_BYTES = 12;

  private static final int NULLS_OF_TEN = 9;
  private static final double HEAP_OVER_RAW = 1.4;

  ColumnsCargo {
    if (sizeBytes < 1) {
      throw new IllegalArgumentException(
          format("a cargo of %,d bytes has no rows; give a size", sizeBytes));
    }
  }

  private long rowCount() {
    int rowBytes = 0;
    for (ColumnKind kind : kinds) {
      rowBytes += kind.type() == ColumnType.STRING ? TEXT_BYTES : kind.type().widthBytes();
    }
    return Math.max(1, sizeBytes / rowBytes);
  }

  @Override
  public String describe() {
    return format(
        "%s, %,d columns of %,d rows, about %,d raw bytes (seed %d)",
        table, kinds.size(), rowCount(), sizeBytes, seed);
  }

  @Override
  public List<InitialTable> baseTables() {
    List<ColumnSchema> columns =
        kinds.stream().map(k -> new ColumnSchema(k.name(), k.type(), k.nullable())).toList();
    return List.of(new InitialTable(new TableSchema(table, columns), 0));
  }

  @Override
  public long heapBytes() {
    return (long) (HEAP_OVER_RAW * sizeBytes);
  }

  @Override
  public ChangeCargo load() {
    CargoSources.requireHeap(heapBytes(), describe());
    byte[] identity = describe().getBytes(StandardCharsets.UTF_8);
    return ChangeCargo.builder(UUID.nameUUIDFromBytes(identity), 0)
        .table(table, changes -> kinds.forEach(kind -> changes.insert(kind.name(), column(kind))))
        .build();
  }

  private ColumnValues column(ColumnKind kind) {
    SplittableRandom random = new SplittableRandom(seed ^ kind.name().hashCode());
    LongSupplier values = kind.values().apply(random);
    if (kind.type() == ColumnType.STRING) {
      ColumnBuilder texts = new ColumnBuilder(kind.type());
      for (long row = 0; row < rowCount(); row++) {
        texts.addString("district " + values.getAsLong());
      }
      return texts.build();
    }
    ColumnValues column = ColumnValues.allocate(kind.type(), rowCount(), kind.nullable());
    RowBits validity = column.validity();
    long row = 0;
    for (int page = 0; page < column.pageCount(); page++) {
      Object array = column.pageForWrite(page);
      for (int i = 0; i < column.rowsInPage(page); i++) {
        set(array, i, values.getAsLong());
        if (validity != null && random.nextInt(10) < NULLS_OF_TEN) {
          validity.clear(row);
        }
        row++;
      }
    }
    return column;
  }

  private static void set(Object page, int at, long value) {
    if (page instanceof double[] doubles) {
      doubles[at] = Double.longBitsToDouble(value);
    } else if (page instanceof float[] floats) {
      floats[at] = (float) Double.longBitsToDouble(value);
    } else if (page instanceof long[] longs) {
      longs[at] = value;
    } else if (page instanceof int[] ints) {
      ints[at] = (int) value;
    } else if (page instanceof short[] shorts) {
      shorts[at] = (short) value;
    } else {
      ((byte[]) page)[at] = (byte) value;
    }
  }
}
