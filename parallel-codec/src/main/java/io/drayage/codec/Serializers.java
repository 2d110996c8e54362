package io.drayage.codec;

import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/**
 * All serializers, by their number on the wire and by their name. Beside this library's
 * serializers, {@link ServiceLoader} finds others for {@link Serializer} in the class loader of
 * this library and in the context class loader of the first thread that asks. A serializer whose
 * number or name is taken is left out; the log and the error about an unknown serializer have the
 * reason.
 */
public final class Serializers {
  /** The class of {@code raw}, by its name, because its package depends on this one. */
  private static final String BUILT_IN = "io.drayage.codec.raw.RawSerializer";

  /** The class of {@code columnar}, by its name: merged jars may have lost the service files. */
  private static final String COLUMNAR = "io.drayage.columnar.ColumnarSerializer";

  private static final String BASELINE = "io.drayage:drayage-baseline";

  /** The artifacts of this project's serializers in other modules, by the serializer's name. */
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

  /** All serializers, in the order of their numbers. */
  public static List<Serializer> all() {
    return REGISTRY.all();
  }

  /** The names of all serializers and of their variants. */
  public static List<String> names() {
    return Stream.concat(all().stream(), variants()).map(Serializer::name).toList();
  }

  private static Stream<Serializer> variants() {
    return all().stream().flatMap(serializer -> serializer.variants().stream());
  }

  /**
   * The serializer with this wire number.
   *
   * @throws IllegalArgumentException if there is none; the message has the known ones, and the
   *     artifacts with others
   */
  public static Serializer ofId(int id) {
    return REGISTRY.ofId(id);
  }

  /**
   * The serializer with this name, or the variant.
   *
   * @throws IllegalArgumentException if there is none; the message has the known ones, and the
   *     artifacts with others
   */
  public static Serializer ofName(String name) {
    return Stream.concat(all().stream(), variants())
        .filter(serializer -> serializer.name().equals(name))
        .findFirst()
        .orElseGet(() -> REGISTRY.ofName(name));
  }
}
