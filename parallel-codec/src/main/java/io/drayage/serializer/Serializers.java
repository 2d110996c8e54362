package io.drayage.serializer;

import io.drayage.codec.CodecRegistry;
import io.drayage.serializer.columnar.ColumnarSerializer;
import io.drayage.serializer.fory.ForySerializer;
import io.drayage.serializer.jdk.JavaSerializer;
import io.drayage.serializer.kryo.KryoSerializer;
import io.drayage.serializer.msgpack.MsgpackSerializer;
import io.drayage.serializer.raw.RawSerializer;
import java.util.List;
import java.util.ServiceLoader;

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

  private Serializers() {}

  /** All of them, in the order of their numbers. */
  public static List<Serializer> all() {
    return REGISTRY.all();
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
    return REGISTRY.ofName(name);
  }
}
