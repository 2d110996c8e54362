package io.drayage.baseline.kryo;

/** {@code kryo-unsafe}: see {@link KryoUnsafeStreams}. */
public final class KryoUnsafeSerializer extends KryoSerializer {
  public KryoUnsafeSerializer() {
    super(4, "kryo-unsafe", new KryoUnsafeStreams());
  }
}
