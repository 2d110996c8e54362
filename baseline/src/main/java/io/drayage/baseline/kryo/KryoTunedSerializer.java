package io.drayage.baseline.kryo;

/** {@code kryo-tuned}: see {@link KryoTunedStreams}. */
public final class KryoTunedSerializer extends KryoSerializer {
  public KryoTunedSerializer() {
    super(5, "kryo-tuned", new KryoTunedStreams());
  }
}
