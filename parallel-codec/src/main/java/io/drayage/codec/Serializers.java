package io.drayage.codec;

import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/**
 * The serializers there are, by their number on the wire and by their name: those of this library,
 * and those that {@link ServiceLoader} finds for {@link Serializer} in the class loader of this
 * library and in the context class loader of the thread that is the first to ask. A serializer
 * whose number or name is taken is left out; the log and the message about an unknown serializer
 * say why.
 */
public final class Serializers {
  /** By name: its package depends on this one. */
  private static final String BUILT_IN = "io.drayage.codec.raw.RawSerializer";

  /** By name as well, if its artifact is here: in merged jars the service files may be gone. */
  private static final String COLUMNAR = "io.drayage.columnar.ColumnarSerializer";

  private static final String BASELINE = "io.drayage:drayage-baseline";

  /** Of this project's serializers that are not in this module. */
  private static final Map<String, String> ARTIFACTS =
      Map.of(
          "columnar",
          "io.drayage:drayage-columnar",
          "java",
          BASELINE,
          "kryo",
          BASELINE,
          "msgpack",
          BASELINE);

  private static final CodecRegistry<Serializer> REGISTRY =
      CodecRegistry.of("serializer", builtIn(), Serializer.class, ARTIFACTS);

  private Serializers() {}

  private static List<Serializer> builtIn() {
    try {
      Serializer raw = newSerializer(BUILT_IN);
      try {
        return List.of(raw, newSerializer(COLUMNAR));
      } catch (ClassNotFoundException e) {
        return List.of(raw);
      }
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("a class of this library is missing: " + e.getMessage(), e);
    }
  }

  private static Serializer newSerializer(String className) throws ReflectiveOperationException {
    return Class.forName(className).asSubclass(Serializer.class).getConstructor().newInstance();
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
   * @throws IllegalArgumentException if there is none, naming the known ones, and the artifacts
   *     that bring others
   */
  public static Serializer ofId(int id) {
    return REGISTRY.ofId(id);
  }

  /**
   * The serializer with this name.
   *
   * @throws IllegalArgumentException if there is none, naming the known ones, and the artifacts
   *     that bring others
   */
  public static Serializer ofName(String name) {
    return Stream.concat(all().stream(), variants())
        .filter(serializer -> serializer.name().equals(name))
        .findFirst()
        .orElseGet(() -> REGISTRY.ofName(name));
  }
}
