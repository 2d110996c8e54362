package io.drayage.study.sikdar.form;

import java.util.List;
import java.util.function.Function;

/** Returns the fields of one object in the order in which they were written. Not thread-safe. */
interface FieldReader {
  int getInt();

  double getDouble();

  String getString();

  <T> T getObject(Class<T> type, Function<FieldReader, T> fields);

  /** Adds the objects of a list to {@code target}. */
  default <T> void getList(List<T> target, Class<T> type, Function<FieldReader, T> fields) {
    int size = getInt();
    for (int i = 0; i < size; i++) {
      target.add(getObject(type, fields));
    }
  }
}
