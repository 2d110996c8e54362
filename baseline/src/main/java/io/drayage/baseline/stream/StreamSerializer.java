package io.drayage.baseline.stream;

import io.drayage.cargo.ChangeCargo;
import io.drayage.codec.CargoFrames;
import io.drayage.codec.Compressor;
import io.drayage.codec.Compressors;
import io.drayage.codec.Serializer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * A serializer with a format for whole cargoes. With any other serializer, a stream is the sequence
 * of the cargo's frames ({@link CargoFrames}). Thread-safe.
 */
public interface StreamSerializer extends Serializer {
  /** Writes a whole cargo. Does not close the stream. */
  void writeCargo(ChangeCargo cargo, OutputStream out) throws IOException;

  /**
   * Reads a whole cargo. May read bytes behind it only if they do not matter.
   *
   * @param memory is charged for the cargo before it is allocated, if the format allows this
   * @throws IOException if the bytes are no cargo or exceed a limit; the message names the error
   */
  ChangeCargo readCargo(InputStream in, MemoryAccount memory) throws IOException;

  /** Whether texts are strings while they are written and read, as they were in the study. */
  default boolean carriesStrings() {
    return true;
  }

  /** Writes a whole cargo with any serializer, see {@link #writeCargo}. */
  static void write(Serializer serializer, ChangeCargo cargo, OutputStream out) throws IOException {
    if (serializer instanceof StreamSerializer own) {
      own.writeCargo(cargo, out);
    } else {
      frames(serializer).write(cargo, out);
    }
  }

  /** Reads a whole cargo with any serializer, see {@link #readCargo}. */
  static ChangeCargo read(Serializer serializer, InputStream in, MemoryAccount memory)
      throws IOException {
    return serializer instanceof StreamSerializer own
        ? own.readCargo(in, memory)
        : frames(serializer).read(in, memory.maxBytes(), memory::charge);
  }

  /** Reads a cargo that needs at most {@code maxCargoBytes} of memory. */
  static ChangeCargo read(Serializer serializer, InputStream in, long maxCargoBytes)
      throws IOException {
    return read(serializer, in, new MemoryAccount(maxCargoBytes));
  }

  private static CargoFrames frames(Serializer serializer) {
    return new CargoFrames(
        serializer.newSegmentSerializer(), serializer.id(), Compressors.ofId(Compressor.STORED_ID));
  }
}
