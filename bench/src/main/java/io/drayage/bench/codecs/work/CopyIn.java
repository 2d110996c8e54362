package io.drayage.bench.codecs.work;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The reference for deserialization: every page is copied out of direct memory into a new array. No
 * cargo can be made with less work.
 */
final class CopyIn implements Work {
  /** A page in direct memory. */
  private record Source(ColumnType type, int rows, ByteBuffer bytes) {
    static Source of(CopyPage page) {
      ByteBuffer bytes = allocate(page.bytes());
      CopyPage.put(page.array(), 0, page.rows(), bytes);
      return new Source(page.type(), page.rows(), bytes);
    }

    private static ByteBuffer allocate(int bytes) {
      return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    Object copy() {
      Object array = Array.newInstance(type.pageClass().getComponentType(), rows);
      CopyPage.get(bytes, array, 0, rows);
      return array;
    }

    boolean holds(Object array) {
      ByteBuffer again = allocate(bytes.capacity());
      CopyPage.put(array, 0, rows, again);
      return again.equals(bytes);
    }
  }

  private final List<Source> sources;

  CopyIn(ChangeCargo cargo) {
    this.sources = CopyPage.of(cargo).stream().map(Source::of).toList();
  }

  @Override
  public List<Object> run() {
    List<Object> arrays = new ArrayList<>(sources.size());
    for (Source source : sources) {
      arrays.add(source.copy());
    }
    return arrays;
  }

  @Override
  public void verify(long digest) throws ShipmentException {
    List<Object> arrays = run();
    for (int i = 0; i < arrays.size(); i++) {
      if (!sources.get(i).holds(arrays.get(i))) {
        throw new ShipmentException(Fault.DIGEST, "page %,d was not copied as it is".formatted(i));
      }
    }
  }

  @Override
  public long rawBytes() {
    return sources.stream().mapToLong(source -> source.bytes().capacity()).sum();
  }

  @Override
  public long encodedBytes() {
    return rawBytes();
  }

  @Override
  public int segments() {
    return 0;
  }

  @Override
  public void close() {}
}
