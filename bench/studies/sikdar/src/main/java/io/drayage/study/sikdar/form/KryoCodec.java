package io.drayage.study.sikdar.form;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import edu.rice.dmodel.LineItem;
import edu.rice.dmodel.Order;
import edu.rice.dmodel.Supplier;

/**
 * Kryo with registered classes. The study's version 3 tracked references and did not know lists;
 * version 5 tracks references only on request.
 */
final class KryoCodec implements ObjectCodec {
  private static final int INITIAL_BYTES = 4096;

  private final Kryo kryo = new Kryo();
  private final Output output = new Output(INITIAL_BYTES, -1);
  private final boolean references;

  KryoCodec(boolean references) {
    this.references = references;
    kryo.setReferences(references);
    // Lists are written under their class's name.
    kryo.setRegistrationRequired(false);
    kryo.register(Supplier.class);
    kryo.register(LineItem.class);
    kryo.register(Order.class);
    for (ObjectKind kind : ObjectKind.values()) {
      kryo.register(kind.type());
    }
  }

  @Override
  public String name() {
    return references ? "Kryo with references" : "Kryo";
  }

  @Override
  public byte[] write(ObjectKind kind, Object object) {
    output.reset();
    kryo.writeObject(output, object);
    return output.toBytes();
  }

  @Override
  public Object read(ObjectKind kind, byte[] bytes) {
    return kryo.readObject(new Input(bytes), kind.type());
  }
}
