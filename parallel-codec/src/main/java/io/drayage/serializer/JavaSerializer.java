package io.drayage.serializer;

import io.drayage.cargo.ChangeCargo;
import io.drayage.segment.SegmentSerializer;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;

/**
 * Java's own serialization, as the study ran it: the object streams lie directly on the streams
 * they are given. {@code ObjectOutputStream} hands on blocks of 1 kB, and {@code ObjectInputStream}
 * asks for 1 kB blocks and single bytes; no buffer is put in between.
 *
 * <p>One flaw is inherent: {@code ObjectOutputStream} writes every NaN with the canonical bits, so
 * a NaN with others arrives changed. Single segments are not affected.
 *
 * <p>What is read is not trusted: a {@link CargoFilter} lets in the classes of the cargo model and
 * nothing else, and the model checks itself when it is read.
 */
final class JavaSerializer implements Serializer {
  @Override
  public int id() {
    return 1;
  }

  @Override
  public String name() {
    return "java";
  }

  @Override
  public void writeCargo(ChangeCargo cargo, OutputStream out) throws IOException {
    ObjectOutputStream objects = new ObjectOutputStream(out);
    objects.writeObject(cargo);
    objects.flush();
  }

  /**
   * Reads a cargo. Arrays are charged to {@code maxCargoBytes} before they are allocated, and the
   * stream may have no more bytes than that.
   */
  @Override
  public ChangeCargo readCargo(InputStream in, long maxCargoBytes) throws IOException {
    CargoFilter filter = new CargoFilter(maxCargoBytes);
    try {
      ObjectInputStream objects = new ObjectInputStream(new LimitedInputStream(in, maxCargoBytes));
      objects.setObjectInputFilter(filter);
      if (objects.readObject() instanceof ChangeCargo cargo) {
        return cargo;
      }
      throw new IOException("the stream holds something else than a cargo");
    } catch (ClassNotFoundException e) {
      throw new IOException("the stream names a class that is not here: " + e.getMessage(), e);
    } catch (IOException e) {
      throw filter.explain(e);
    } catch (RuntimeException e) {
      throw new IOException("the stream holds no valid cargo: " + e.getMessage(), e);
    }
  }

  @Override
  public SegmentSerializer newSegmentSerializer() {
    return new JavaSegmentSerializer();
  }
}
