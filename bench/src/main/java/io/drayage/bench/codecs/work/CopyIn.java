package io.drayage.bench.codecs.work;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The reference for deserialization: every page is copied out of direct memory into a new array. No
 * cargo can be made with less work.
 */
final class CopyIn extends Work {
  /** A page in direct memory. */
  private record Source(ColumnType type, int rows, ByteBuffer bytes) {
    static Source of(CopyPage page) {
      return new Source(page.type(), page.rows(), direct(page.array(), page.rows(), page.bytes()));
    }

    private static ByteBuffer direct(Object array, int rows, int bytes) {
      ByteBuffer direct = CopyPage.allocate(bytes);
      CopyPage.put(array, 0, rows, direct);
      return direct;
    }

    Object copy() {
      Object array = Array.newInstance(type.pageClass().getComponentType(), rows);
      CopyPage.get(bytes, array, 0, rows);
      return array;
    }

    boolean isIn(Object array) {
      return direct(array, rows, bytes.capacity()).equals(bytes);
    }
  }

  private final List<Source> sources;

  CopyIn(ChangeCargo cargo) {
    super(CopyPage.bytesOf(cargo));
    this.sources = CopyPage.of(cargo).stream().map(Source::of).toList();
    encoded(rawBytes(), 0);
  }

  @Override
  public List<Object> run() {
    List<Object> arrays = new ArrayList<>(sources.size());
    sources.forEach(source -> arrays.add(source.copy()));
    return arrays;
  }

  @Override
  public void verify(long digest) throws ShipmentException {
    List<Object> arrays = run();
    for (int i = 0; i < arrays.size(); i++) {
      if (!sources.get(i).isIn(arrays.get(i))) {
        throw new ShipmentException(Fault.DIGEST, "page %,d was not copied as it is".formatted(i));
      }
    }
  }
}
