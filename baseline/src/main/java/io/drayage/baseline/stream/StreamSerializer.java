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
 * A serializer with a form for whole cargoes. With any other, a stream is the frames of the cargo,
 * one after the other ({@link CargoFrames}). Thread-safe.
 */
public interface StreamSerializer extends Serializer {
  /** Writes a whole cargo, all of it. Does not close the stream. */
  void writeCargo(ChangeCargo cargo, OutputStream out) throws IOException;

  /**
   * Reads a whole cargo, and nothing beyond it that matters.
   *
   * @param memory is charged with what the cargo takes, before it is allocated, where the format
   *     allows it
   * @throws IOException if the bytes are no cargo or exceed a limit, naming what is wrong
   */
  ChangeCargo readCargo(InputStream in, MemoryAccount memory) throws IOException;

  /** Whether texts are strings while they are written and read, as they were in the study. */
  default boolean carriesStrings() {
    return true;
  }

  /** Writes a whole cargo with any serializer, as {@link #writeCargo}. */
  static void write(Serializer serializer, ChangeCargo cargo, OutputStream out) throws IOException {
    if (serializer instanceof StreamSerializer own) {
      own.writeCargo(cargo, out);
    } else {
      frames(serializer).write(cargo, out);
    }
  }

  /** Reads a whole cargo with any serializer, as {@link #readCargo}. */
  static ChangeCargo read(Serializer serializer, InputStream in, MemoryAccount memory)
      throws IOException {
    return serializer instanceof StreamSerializer own
        ? own.readCargo(in, memory)
        : frames(serializer).read(in, memory.maxBytes(), memory::charge);
  }

  /** Reads a cargo that takes at most so many bytes of memory. */
  static ChangeCargo read(Serializer serializer, InputStream in, long maxCargoBytes)
      throws IOException {
    return read(serializer, in, new MemoryAccount(maxCargoBytes));
  }

  private static CargoFrames frames(Serializer serializer) {
    return new CargoFrames(
        serializer.newSegmentSerializer(), serializer.id(), Compressors.ofId(Compressor.STORED_ID));
  }
}
