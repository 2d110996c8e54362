package io.drayage.study.sikdar.form;

import java.util.List;
import java.util.function.BiConsumer;

/** Accepts the fields of one object in their order. Not thread-safe. */
interface FieldWriter {
  void putInt(int value);

  void putDouble(double value);

  void putString(String value);

  <T> void putObject(T object, Class<T> type, BiConsumer<T, FieldWriter> fields);

  /** Writes the count of the objects, then each object. */
  default <T> void putList(List<T> objects, Class<T> type, BiConsumer<T, FieldWriter> fields) {
    putInt(objects.size());
    for (T object : objects) {
      putObject(object, type, fields);
    }
  }
}
