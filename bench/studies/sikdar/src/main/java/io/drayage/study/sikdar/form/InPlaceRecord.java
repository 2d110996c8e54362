package io.drayage.study.sikdar.form;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;

/**
 * Writes one object in place. Numbers are at fixed offsets from the object's start. A text or a
 * list is represented by its offset and its length, an object by its offset. These offsets count
 * from the start of the outermost object, so that it can be moved as a whole. A list is an array of
 * offsets.
 */
final class InPlaceRecord implements FieldWriter {
  /** An object with its texts has about this number of times its fixed bytes. */
  private static final int INITIAL_FACTOR = 4;

  private ByteBuffer bytes;

  /** Offset of the next field of the current object. */
  private int field;

  /** Offset of the next text, object or list. */
  private int free;

  private InPlaceRecord(ObjectKind kind) {
    this.bytes = ByteBuffer.allocate(INITIAL_FACTOR * fixedBytes(kind.type()));
    this.free = fixedBytes(kind.type());
  }

  static ByteBuffer write(ObjectKind kind, Object object) {
    InPlaceRecord record = new InPlaceRecord(kind);
    kind.write(object, record);
    return record.bytes.slice(0, record.free);
  }

  private static int fixedBytes(Class<?> type) {
    return Objects.requireNonNull(InPlacePages.FIXED_BYTES.get(type), type::getName);
  }

  private int allocate(int count) {
    int start = free;
    free += count;
    if (free > bytes.capacity()) {
      bytes = ByteBuffer.allocate(2 * free).put(0, bytes, 0, start);
    }
    return start;
  }

  @Override
  public void putInt(int value) {
    bytes.putInt(field, value);
    field += Integer.BYTES;
  }

  @Override
  public void putDouble(double value) {
    bytes.putDouble(field, value);
    field += Double.BYTES;
  }

  @Override
  public void putString(String value) {
    byte[] text = value.getBytes(StandardCharsets.UTF_8);
    int start = allocate(text.length);
    bytes.put(start, text);
    putInt(start);
    putInt(text.length);
  }

  @Override
  public <T> void putObject(T object, Class<T> type, BiConsumer<T, FieldWriter> fields) {
    int start = allocate(fixedBytes(type));
    putInt(start);
    int next = field;
    field = start;
    fields.accept(object, this);
    field = next;
  }

  @Override
  public <T> void putList(List<T> objects, Class<T> type, BiConsumer<T, FieldWriter> fields) {
    int start = allocate(Integer.BYTES * objects.size());
    putInt(start);
    putInt(objects.size());
    int next = field;
    field = start;
    for (T object : objects) {
      putObject(object, type, fields);
    }
    field = next;
  }
}
