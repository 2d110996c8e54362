package io.drayage.study.sikdar.form;

import io.drayage.frame.ShipmentException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Objects whose fields are collected by column, a batch a page, and written by a segment serializer
 * of this project. An entry is an object. The columns of a batch start again with each page.
 */
final class ColumnPages implements PageFormat {
  private final String serializer;

  /** With the segment serializer of this name. */
  ColumnPages(String serializer) {
    this.serializer = serializer;
  }

  @Override
  public String name() {
    return serializer;
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

  /** About as many objects as fill a page before they are encoded. */
  private static int batchObjects(ObjectKind kind) {
    return switch (kind) {
      case PART -> 1_900;
      case LINE_ITEM -> 590;
      case CUSTOMER -> 13;
      case ELEMENT -> 21_800;
    };
  }

  @Override
  public PageWriter writer(ObjectKind kind, PageSink sink) {
    return new PageWriter() {
      private ColumnBatch.Writer batch = new ColumnBatch.Writer();
      private int count;

      @Override
      public void add(Object entry) throws IOException {
        kind.write(entry, batch);
        batch.endObject();
        if (++count == batchObjects(kind)) {
          close();
        }
      }

      @Override
      public void close() throws IOException {
        if (count > 0) {
          sink.accept(batch.page(serializer, count), count);
          batch = new ColumnBatch.Writer();
          count = 0;
        }
      }
    };
  }

  @Override
  public List<Object> entries(ObjectKind kind, ByteBuffer page) throws IOException {
    try {
      ColumnBatch.Reader batch = ColumnBatch.Reader.of(serializer, page);
      List<Object> objects = new ArrayList<>();
      for (int i = 0; i < batch.count(); i++) {
        objects.add(kind.read(batch));
        batch.endObject();
      }
      return objects;
    } catch (ShipmentException e) {
      throw new IOException(e);
    }
  }
}
