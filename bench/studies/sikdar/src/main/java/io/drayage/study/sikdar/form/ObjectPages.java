package io.drayage.study.sikdar.form;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Objects that a codec writes one by one. An entry is the object. */
final class ObjectPages implements PageFormat {
  private final ObjectCodec codec;

  ObjectPages(ObjectCodec codec) {
    this.codec = codec;
  }

  @Override
  public String name() {
    return codec.name();
  }

  @Override
  public Object entryOf(ObjectKind kind, Object object) {
    return object;
  }

  @Override
  public Object objectOf(ObjectKind kind, Object entry) {
    return entry;
  }

  @Override
  public long key(ObjectKind kind, Object entry) {
    return kind.key(entry);
  }

  @Override
  public double price(ObjectKind kind, Object entry) {
    return kind.price(entry);
  }

  @Override
  public PageWriter writer(ObjectKind kind, PageSink sink) {
    SlottedPage.Writer pages = new SlottedPage.Writer(sink);
    return new PageWriter() {
      @Override
      public void add(Object entry) throws IOException {
        pages.add(ByteBuffer.wrap(codec.write(kind, entry)));
      }

      @Override
      public void close() throws IOException {
        pages.flush();
      }
    };
  }

  @Override
  public List<Object> entries(ObjectKind kind, ByteBuffer page) throws IOException {
    int count = SlottedPage.count(page);
    List<Object> objects = new ArrayList<>(count);
    for (int slot = 0; slot < count; slot++) {
      objects.add(entry(kind, page, slot));
    }
    return objects;
  }

  @Override
  public Object entry(ObjectKind kind, ByteBuffer page, int slot) throws IOException {
    ByteBuffer record = SlottedPage.record(page, slot);
    byte[] bytes = new byte[record.remaining()];
    record.get(bytes);
    return codec.read(kind, bytes);
  }
}
