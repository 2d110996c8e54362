package io.drayage.baseline.fory;

import io.drayage.baseline.stream.MemoryAccount;
import io.drayage.baseline.stream.StreamSerializer;
import io.drayage.cargo.ChangeCargo;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.SegmentSerializer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Apache Fory: its serializers of primitive arrays and of strings, which copy memory. The shape of
 * the cargo travels as such arrays too, see {@link ForyCargoWriter}, for two reasons: one of Fory's
 * buffers ends at 2 GB, so that a cargo is a sequence of arrays; and a stream that names no classes
 * cannot name a wrong one. Fory's own reader of objects takes whatever class of the JDK it knows,
 * even where another one was asked for. Hence nothing is registered and nothing is generated.
 *
 * <p>Settings: Java form, references not tracked, numbers and strings not compressed (Fory's
 * defaults for arrays, and what makes it fast), no code generation.
 *
 * <p>Fory reaches into strings with {@code sun.misc.Unsafe}, on JDK 25 and later only to find the
 * lookup that it otherwise needs to be given. Neither is touched before the first use.
 */
public final class ForySerializer implements StreamSerializer {
  @Override
  public int id() {
    return 8;
  }

  @Override
  public String name() {
    return "fory";
  }

  @Override
  public void requireUsable() {
    if (Probe.OBSTACLE != null) {
      throw new UnsupportedOperationException(
          ("fory cannot run on JDK %s (%s): start Java with --sun-misc-unsafe-memory-access=allow or"
                  + " --add-opens=java.base/java.lang.invoke=ALL-UNNAMED")
              .formatted(Runtime.version().feature(), Probe.OBSTACLE));
    }
  }

  @Override
  public void writeCargo(ChangeCargo cargo, OutputStream out) throws IOException {
    requireUsable();
    new ForyCargoWriter(out).write(cargo);
  }

  /**
   * Reads a cargo, and nothing behind it. Arrays, texts and objects are charged before they are
   * allocated; a copy of one page is kept besides.
   */
  @Override
  public ChangeCargo readCargo(InputStream in, MemoryAccount memory) throws IOException {
    requireUsable();
    try {
      return new ForyCargoReader(in, memory).read();
    } catch (RuntimeException e) {
      throw new ShipmentException(
          Fault.DECODE, "the stream holds no valid cargo: " + e.getMessage(), e);
    }
  }

  @Override
  public SegmentSerializer newSegmentSerializer() {
    requireUsable();
    return new ForySegmentSerializer();
  }

  /** Tries it once, when it is first asked for. */
  private static final class Probe {
    static final @Nullable String OBSTACLE = obstacle();

    private static @Nullable String obstacle() {
      try {
        return new ForyArrays().isEcho() ? null : "it does not read what it wrote";
      } catch (RuntimeException | LinkageError e) {
        return "access to the JDK's internals is refused: " + e.getClass().getSimpleName();
      }
    }
  }
}
