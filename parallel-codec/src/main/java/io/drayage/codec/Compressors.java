package io.drayage.codec;

import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

/**
 * The compressors there are, each at its default level, by their number on the wire and by their
 * name: those of this library, and those that {@link ServiceLoader} finds for {@link Compressor} in
 * the class loader of this library and in the context class loader of the thread that is the first
 * to ask. A compressor whose number or name is taken is left out; the log and the message about an
 * unknown compressor say why.
 */
public final class Compressors {
  private static final CodecRegistry<Compressor> REGISTRY =
      CodecRegistry.of("compressor", BuiltInCompressor.all(), Compressor.class, Map.of());

  private Compressors() {}

  /** All of them, in the order of their numbers. */
  public static List<Compressor> all() {
    return REGISTRY.all();
  }

  /**
   * The compressor with this wire number.
   *
   * @throws IllegalArgumentException if there is none, naming the known ones
   */
  public static Compressor ofId(int id) {
    return REGISTRY.ofId(id);
  }

  /**
   * The compressor with this name.
   *
   * @throws IllegalArgumentException if there is none, naming the known ones
   */
  public static Compressor ofName(String name) {
    return REGISTRY.ofName(name);
  }
}
