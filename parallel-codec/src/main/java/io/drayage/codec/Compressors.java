package io.drayage.codec;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/**
 * The compressors there are, each at its default level, by their number on the wire and by their
 * name: those of this library, and those that {@link ServiceLoader} finds for {@link Compressor}.
 */
public final class Compressors {
  private static final CodecRegistry<Compressor> REGISTRY = CodecRegistry.of("compressor", found());

  private Compressors() {}

  private static List<Compressor> found() {
    List<Compressor> compressors = new ArrayList<>(BuiltInCompressor.all());
    ServiceLoader.load(Compressor.class).forEach(compressors::add);
    return compressors;
  }

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
