package io.drayage.study.sikdar.form;

import java.util.List;
import java.util.function.Function;

/** Gives the fields of one object in the order in which they were written. Not thread-safe. */
interface FieldReader {
  int getInt();

  double getDouble();

  String getString();

  <T> T getObject(Class<T> type, Function<FieldReader, T> fields);

  <T> void getList(List<T> target, Class<T> type, Function<FieldReader, T> fields);
}
