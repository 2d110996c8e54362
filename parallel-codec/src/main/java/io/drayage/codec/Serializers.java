package io.drayage.codec;

import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/**
 * The serializers there are, by their number on the wire and by their name: those of this library,
 * and those that {@link ServiceLoader} finds for {@link Serializer} in the class loader of this
 * library and in the context class loader of the thread that is the first to ask. One whose number
 * or name is taken is left out; the log and the message about an unknown serializer say why.
 */
public final class Serializers {
  /** By name: its package depends on this one. */
  private static final String BUILT_IN = "io.drayage.codec.raw.RawSerializer";

  private static final CodecRegistry<Serializer> REGISTRY =
      CodecRegistry.of("serializer", List.of(builtIn(BUILT_IN)), Serializer.class);

  private Serializers() {}

  private static Serializer builtIn(String className) {
    try {
      return Class.forName(className).asSubclass(Serializer.class).getConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("a class of this library is missing: " + className, e);
    }
  }

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
    return Stream.concat(all().stream(), variants())
        .filter(serializer -> serializer.name().equals(name))
        .findFirst()
        .orElseGet(() -> REGISTRY.ofName(name));
  }
}
