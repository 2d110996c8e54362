package io.drayage.serializer;

import io.drayage.codec.CodecRegistry;
import io.drayage.columnar.ColumnarMode;
import io.drayage.columnar.ColumnarSerializer;
import io.drayage.serializer.fory.ForySerializer;
import io.drayage.serializer.jdk.JavaSerializer;
import io.drayage.serializer.kryo.KryoSerializer;
import io.drayage.serializer.msgpack.MsgpackSerializer;
import io.drayage.serializer.raw.RawSerializer;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/**
 * The serializers there are, by their number on the wire and by their name: those of this library,
 * and those that {@link ServiceLoader} finds for {@link Serializer}.
 */
public final class Serializers {
  private static final CodecRegistry<Serializer> REGISTRY =
      new CodecRegistry<>(
          "serializer",
          List.of(
              JavaSerializer.asPublished(),
              new RawSerializer(),
              KryoSerializer.ofDefaults(),
              KryoSerializer.unsafe(),
              KryoSerializer.tuned(),
              new MsgpackSerializer(),
              JavaSerializer.buffered(),
              new ForySerializer(),
              new ColumnarSerializer()),
          ServiceLoader.load(Serializer.class));

  /** The same formats, written by other rules: what they write is read by those in the registry. */
  private static final List<Serializer> VARIANTS =
      List.of(
          ColumnarSerializer.ofMode(ColumnarMode.FAST),
          ColumnarSerializer.ofMode(ColumnarMode.BALANCED),
          ColumnarSerializer.ofMode(ColumnarMode.DENSE));

  private Serializers() {}

  /** All of them, in the order of their numbers. */
  public static List<Serializer> all() {
    return REGISTRY.all();
  }

  /** The names of all, and of the variants that {@link #ofName} knows as well. */
  public static List<String> names() {
    return Stream.concat(all().stream(), VARIANTS.stream()).map(Serializer::name).toList();
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
    for (Serializer variant : VARIANTS) {
      if (variant.name().equals(name)) {
        return variant;
      }
    }
    return REGISTRY.ofName(name);
  }
}
