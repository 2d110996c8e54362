package io.drayage.bench.codecs.work;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.PartContent;
import io.drayage.segment.CargoAssembler;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * A page of a cargo that a plain copy can take: not of texts, and not of booleans, which have no
 * bulk copy.
 *
 * @param type of the values
 * @param array the page
 * @param rows how many values it has
 */
record CopyPage(ColumnType type, Object array, int rows) {
  /** Bytes of the values. */
  int bytes() {
    return rows * type.widthBytes();
  }

  /** Raw bytes of all pages of a cargo. */
  static long bytesOf(ChangeCargo cargo) {
    return of(cargo).stream().mapToLong(CopyPage::bytes).sum();
  }

  /** Direct memory in the byte order of arrays. */
  static ByteBuffer allocate(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Those of a whole cargo, column after column. */
  static List<CopyPage> of(ChangeCargo cargo) {
    List<CopyPage> pages = new ArrayList<>();
    for (PartContent content : CargoAssembler.contentsOf(cargo)) {
      if (content instanceof ColumnValues values && canCopy(values.type())) {
        for (int p = 0; p < values.pageCount(); p++) {
          pages.add(new CopyPage(values.type(), values.page(p), values.rowsInPage(p)));
        }
      }
    }
    return pages;
  }

  private static boolean canCopy(ColumnType type) {
    return type.isFixedWidth() && type != ColumnType.BOOLEAN;
  }

  /** Copies {@code count} values from {@code offset} on to the position of {@code target}. */
  static void put(Object array, int offset, int count, ByteBuffer target) {
    if (array instanceof long[] longs) {
      target.asLongBuffer().put(longs, offset, count);
    } else if (array instanceof int[] ints) {
      target.asIntBuffer().put(ints, offset, count);
    } else if (array instanceof double[] doubles) {
      target.asDoubleBuffer().put(doubles, offset, count);
    } else if (array instanceof float[] floats) {
      target.asFloatBuffer().put(floats, offset, count);
    } else if (array instanceof short[] shorts) {
      target.asShortBuffer().put(shorts, offset, count);
    } else {
      target.duplicate().put((byte[]) array, offset, count);
    }
  }

  /** Copies {@code count} values from the position of {@code source} to {@code offset}. */
  static void get(ByteBuffer source, Object array, int offset, int count) {
    if (array instanceof long[] longs) {
      source.asLongBuffer().get(longs, offset, count);
    } else if (array instanceof int[] ints) {
      source.asIntBuffer().get(ints, offset, count);
    } else if (array instanceof double[] doubles) {
      source.asDoubleBuffer().get(doubles, offset, count);
    } else if (array instanceof float[] floats) {
      source.asFloatBuffer().get(floats, offset, count);
    } else if (array instanceof short[] shorts) {
      source.asShortBuffer().get(shorts, offset, count);
    } else {
      source.duplicate().get((byte[]) array, offset, count);
    }
  }
}
