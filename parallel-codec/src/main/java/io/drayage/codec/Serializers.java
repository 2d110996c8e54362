package io.drayage.codec;

import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/**
 * The serializers that {@link ServiceLoader} finds for {@link Serializer}, by their number on the
 * wire and by their name.
 */
public final class Serializers {
  private static final CodecRegistry<Serializer> REGISTRY =
      CodecRegistry.of("serializer", ServiceLoader.load(Serializer.class));

  private Serializers() {}

  /** All of them, in the order of their numbers. */
  public static List<Serializer> all() {
    return REGISTRY.all();
  }

  /** The names of all, and of the variants that {@link #ofName} knows as well. */
  public static List<String> names() {
    return Stream.concat(all().stream(), variants()).map(Serializer::name).toList();
  }

  private static Stream<Serializer> variants() {
    return all().stream().flatMap(serializer -> serializer.variants().stream());
  }

  /**
   * The serializer with this wire number.
   *
   * @throws IllegalArgumentException if there is none, naming the known ones
   */
  public static Serializer ofId(int id) {
    return REGISTRY.ofId(id);
  }

  /**
   * The serializer with this name.
   *
   * @throws IllegalArgumentException if there is none, naming the known ones
   */
  public static Serializer ofName(String name) {
    return variants()
        .filter(variant -> variant.name().equals(name))
        .findFirst()
        .orElseGet(() -> REGISTRY.ofName(name));
  }
}
