package io.drayage.codec;

import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

/**
 * All compressors, each at its default level, by their number on the wire and by their name. Beside
 * this library's compressors, {@link ServiceLoader} finds others for {@link Compressor} in the
 * class loader of this library and in the context class loader of the first thread that asks. A
 * compressor whose number or name is taken is left out; the log and the error about an unknown
 * compressor have the reason.
 */
public final class Compressors {
  private static final CodecRegistry<Compressor> REGISTRY =
      CodecRegistry.of("compressor", BuiltInCompressor.all(), Compressor.class, Map.of());

  private Compressors() {}

  /** All compressors, in the order of their numbers. */
  public static List<Compressor> all() {
    return REGISTRY.all();
  }

  /**
   * The compressor with this wire number.
   *
   * @throws IllegalArgumentException if there is none; the message has the known ones
   */
  public static Compressor ofId(int id) {
    return REGISTRY.ofId(id);
  }

  /**
   * The compressor with this name.
   *
   * @throws IllegalArgumentException if there is none; the message has the known ones
   */
  public static Compressor ofName(String name) {
    return REGISTRY.ofName(name);
  }
}
