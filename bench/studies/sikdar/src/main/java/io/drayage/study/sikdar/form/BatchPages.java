package io.drayage.study.sikdar.form;

import io.drayage.study.BatchWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Objects whose fields are collected by column, one batch for each page. A segment serializer of
 * this project, named like the format, writes the columns. An entry is an object. The columns of a
 * batch start again with each page.
 */
record BatchPages(String name) implements PageFormat {
  /** Returns the number of objects that fill about a page before they are encoded. */
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
      private final BatchWriter columns = new BatchWriter(name);
      private ColumnBatch.Writer batch = new ColumnBatch.Writer();
      private int count;

      @Override
      public void add(Object entry) throws IOException {
        kind.write(entry, batch);
        batch.endObject();
        if (++count == batchObjects(kind)) {
          flush();
        }
      }

      private void flush() throws IOException {
        if (count > 0) {
          sink.accept(columns.page(batch.columns(count)), count);
          batch = new ColumnBatch.Writer();
          count = 0;
        }
      }

      @Override
      public void close() throws IOException {
        flush();
        columns.close();
      }
    };
  }

  @Override
  public List<Object> entries(ObjectKind kind, ByteBuffer page) throws IOException {
    try (BatchWriter columns = new BatchWriter(name)) {
      ColumnBatch.Reader batch = new ColumnBatch.Reader(columns.read(page));
      List<Object> objects = new ArrayList<>();
      for (int i = 0; i < batch.count(); i++) {
        objects.add(kind.read(batch));
        batch.endObject();
      }
      return objects;
    }
  }
}
