package io.drayage.baseline.java;

import io.drayage.baseline.stream.LimitedInputStream;
import io.drayage.baseline.stream.MemoryAccount;
import io.drayage.baseline.stream.StreamSerializer;
import io.drayage.cargo.ChangeCargo;
import io.drayage.segment.SegmentSerializer;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;

/**
 * Java's own serialization.
 *
 * <ul>
 *   <li>{@code java}, as the study ran it: the object streams use the given streams directly.
 *       {@code ObjectOutputStream} writes blocks of 1 kB, and {@code ObjectInputStream} asks for
 *       blocks of 1 kB and for single bytes. There is no buffer in between.
 *   <li>{@code java-buffered}: the same bytes, read through a buffer of 64 kB, for underlying
 *       streams that return single bytes slowly. Writing is the same, because {@code
 *       ObjectOutputStream} has blocks of its own, and another buffer would be one more copy.
 * </ul>
 *
 * <p>One flaw is inherent: {@code ObjectOutputStream} writes every NaN with the canonical bits, so
 * a NaN with other bits arrives changed. Single segments are not affected.
 *
 * <p>The pages of a column of texts are an array of arrays of strings in the stream.
 *
 * <p>The bytes that it reads are not trusted. A {@link CargoFilter} accepts only the classes of the
 * cargo model, and the model checks itself when it is read.
 */
public class JavaSerializer implements StreamSerializer {
  private static final int BUFFER_BYTES = 64 << 10;

  private final int id;
  private final String name;
  private final boolean buffered;

  /** Creates {@code java}. */
  public JavaSerializer() {
    this(1, "java", false);
  }

  JavaSerializer(int id, String name, boolean buffered) {
    this.id = id;
    this.name = name;
    this.buffered = buffered;
  }

  @Override
  public final int id() {
    return id;
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final void writeCargo(ChangeCargo cargo, OutputStream out) throws IOException {
    ObjectOutputStream objects = new CargoObjects.Writer(out);
    objects.writeObject(cargo);
    objects.flush();
  }

  /**
   * Reads a cargo. Arrays are charged before they are allocated, and the stream may have no more
   * bytes than the limit. With a buffer, the stream must end with the cargo, because the buffer
   * reads ahead.
   */
  @Override
  public final ChangeCargo readCargo(InputStream in, MemoryAccount memory) throws IOException {
    CargoFilter filter = new CargoFilter(memory);
    InputStream limited = new LimitedInputStream(in, memory.maxBytes());
    InputStream source = buffered ? new BufferedInputStream(limited, BUFFER_BYTES) : limited;
    try {
      ObjectInputStream objects = new CargoObjects.Reader(source, filter, memory);
      if (objects.readObject() instanceof ChangeCargo cargo) {
        requireNothingBehind(source);
        return cargo;
      }
      throw new IOException("the stream holds something else than a cargo");
    } catch (ClassNotFoundException e) {
      throw new IOException("the stream names an unknown class: " + e.getMessage(), e);
    } catch (EOFException e) {
      throw (IOException) new EOFException("the stream ends within the cargo").initCause(e);
    } catch (IOException e) {
      IOException failure = filter.explain(e);
      throw failure.getMessage() == null
          ? new IOException("the stream holds no valid cargo: " + failure, failure)
          : failure;
    } catch (RuntimeException e) {
      throw new IOException("the stream holds no valid cargo: " + e.getMessage(), e);
    }
  }

  /** Refuses bytes behind the cargo. Without a buffer, the caller sees these bytes. */
  private void requireNothingBehind(InputStream source) throws IOException {
    if (buffered && source.read() >= 0) {
      throw new IOException("there are bytes behind the cargo");
    }
  }

  @Override
  public final SegmentSerializer newSegmentSerializer() {
    return new JavaSegmentSerializer();
  }
}
