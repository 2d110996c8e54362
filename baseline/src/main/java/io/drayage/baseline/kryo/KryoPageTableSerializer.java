package io.drayage.baseline.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.drayage.baseline.stream.MemoryAccount;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import java.lang.reflect.Array;

/** All pages of a column: an {@code int[][]} for a column of ints. */
final class KryoPageTableSerializer extends Serializer<Object[]> {
  private final KryoPages pages;
  private final KryoAccount account;

  KryoPageTableSerializer(ColumnType type, KryoAccount account) {
    this.pages = new KryoPages(type);
    this.account = account;
  }

  void write(Output output, ColumnValues values) {
    output.writeVarInt(values.pageCount() + 1, true);
    for (int p = 0; p < values.pageCount(); p++) {
      pages.writePage(output, values.page(p));
    }
  }

  Object[] readPages(Input input) {
    int count = account.readLength(input, MemoryAccount.OBJECT_BYTES);
    Object[] table = (Object[]) Array.newInstance(pages.type().pageClass(), count);
    for (int p = 0; p < count; p++) {
      table[p] = pages.readPage(input, account);
    }
    return table;
  }

  @Override
  public void write(Kryo kryo, Output output, Object[] table) {
    output.writeVarInt(table.length + 1, true);
    for (Object page : table) {
      pages.writePage(output, page);
    }
  }

  @Override
  public Object[] read(Kryo kryo, Input input, Class<? extends Object[]> type) {
    return readPages(input);
  }
}
