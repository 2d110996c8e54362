package io.drayage.columnar.stream;

import io.drayage.columnar.kernel.MiniBlock;
import java.nio.ByteBuffer;

/**
 * Maps each value of an inner stream to a value, window by window when these are read, while they
 * are in the nearest cache. Not thread-safe.
 */
public abstract class MappedValues implements ValueSink {
  private final Kind kind;

  /** Receives the mapped values. */
  protected final ValueSink sink;

  /**
   * @param kind of the values of the inner stream
   */
  protected MappedValues(Kind kind, ValueSink sink) {
    this.kind = kind;
    this.sink = sink;
  }

  @Override
  public final int count() {
    return sink.count();
  }

  @Override
  public final Kind kind() {
    return kind;
  }

  /**
   * Maps the first values of a window, at most a mini-block, and stores the results as values
   * {@code from} and following.
   */
  protected abstract void map(int from, int count, Object window);

  @Override
  public final void store(int from, int count, Object window, int at) {
    if (at == 0 && count <= MiniBlock.VALUES) {
      map(from, count, window);
      return;
    }
    Object some = newWindow();
    for (int done = 0; done < count; done += MiniBlock.VALUES) {
      int number = Math.min(MiniBlock.VALUES, count - done);
      System.arraycopy(window, at + done, some, 0, number);
      map(from + done, number, some);
    }
  }

  @Override
  public final void storeRaw(int from, int count, ByteBuffer source) {
    Object some = newWindow();
    for (int done = 0; done < count; done += MiniBlock.VALUES) {
      int number = Math.min(MiniBlock.VALUES, count - done);
      if (some instanceof long[] longs) {
        source.asLongBuffer().get(longs, 0, number);
      } else {
        source.asIntBuffer().get((int[]) some, 0, number);
      }
      source.position(source.position() + number * kind.bytes());
      map(from + done, number, some);
    }
  }

  private Object newWindow() {
    return kind.isWide() ? new long[MiniBlock.VALUES] : new int[MiniBlock.VALUES];
  }

  @Override
  public final void copy(int from, int to, int count) {
    sink.copy(from, to, count);
  }
}
