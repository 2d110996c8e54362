package io.drayage.study.sikdar.form;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Objects that a codec writes one by one. An entry is the object. */
final class ObjectPages extends SlottedPages {
  private final ObjectCodec codec;

  ObjectPages(ObjectCodec codec) {
    this.codec = codec;
  }

  @Override
  public String name() {
    return codec.name();
  }

  @Override
  ByteBuffer record(ObjectKind kind, Object entry) throws IOException {
    return ByteBuffer.wrap(codec.write(kind, entry));
  }

  @Override
  Object entry(ObjectKind kind, ByteBuffer record) throws IOException {
    byte[] bytes = new byte[record.remaining()];
    record.get(bytes);
    return codec.read(kind, bytes);
  }
}
