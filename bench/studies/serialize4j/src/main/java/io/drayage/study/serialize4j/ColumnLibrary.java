package io.drayage.study.serialize4j;

import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.TextBuilder;
import io.drayage.cargo.TextPage;
import io.drayage.study.BatchWriter;
import java.io.IOException;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;

/**
 * All objects together, one column for each field, by a segment serializer of this project. Most of
 * the time is reflection, which reads and sets the fields. A character is a short, a date a long.
 */
@SuppressWarnings("JavaUtilDate") // As published.
final class ColumnLibrary implements Library {
  private final BatchWriter columns;
  private final Class<?> type;
  private final List<Field> fields;

  ColumnLibrary(String serializer, Class<?> type) {
    this.columns = new BatchWriter(serializer);
    this.type = type;
    this.fields =
        Arrays.stream(type.getFields())
            .filter(field -> !Modifier.isStatic(field.getModifiers()))
            .toList();
  }

  @Override
  public List<byte[]> write(List<?> objects) throws IOException {
    try {
      List<ColumnValues> values = new ArrayList<>();
      for (Field field : fields) {
        values.add(column(field, objects));
      }
      return List.of(columns.write(values));
    } catch (IllegalAccessException e) {
      throw new IOException(e);
    }
  }

  private static ColumnValues column(Field field, List<?> objects) throws IllegalAccessException {
    if (field.getType() == String.class) {
      TextBuilder texts = new TextBuilder();
      for (Object object : objects) {
        texts.add((String) field.get(object));
      }
      return ColumnValues.of(new TextPage[] {texts.build()});
    }
    Object page = Array.newInstance(componentType(field), objects.size());
    for (int row = 0; row < objects.size(); row++) {
      Object object = objects.get(row);
      if (page instanceof boolean[] booleans) {
        booleans[row] = field.getBoolean(object);
      } else if (page instanceof byte[] bytes) {
        bytes[row] = field.getByte(object);
      } else if (page instanceof short[] shorts) {
        shorts[row] =
            field.getType() == char.class ? (short) field.getChar(object) : field.getShort(object);
      } else if (page instanceof int[] ints) {
        ints[row] = field.getInt(object);
      } else if (page instanceof long[] longs) {
        longs[row] =
            field.getType() == Date.class
                ? ((Date) field.get(object)).getTime()
                : field.getLong(object);
      } else if (page instanceof float[] floats) {
        floats[row] = field.getFloat(object);
      } else {
        ((double[]) page)[row] = field.getDouble(object);
      }
    }
    Object[] pages = (Object[]) Array.newInstance(page.getClass(), 1);
    pages[0] = page;
    return ColumnValues.of(pages, null);
  }

  private static Class<?> componentType(Field field) {
    Class<?> fieldType = field.getType();
    return fieldType == char.class ? short.class : fieldType == Date.class ? long.class : fieldType;
  }

  @Override
  public List<Object> read(List<byte[]> bytes) throws IOException {
    try {
      List<ColumnValues> values = columns.read(bytes.get(0));
      List<Object> objects = new ArrayList<>();
      long rows = values.get(0).rowCount();
      for (int row = 0; row < rows; row++) {
        Object object = type.getConstructor().newInstance();
        for (int i = 0; i < fields.size(); i++) {
          set(fields.get(i), object, values.get(i).page(0), row);
        }
        objects.add(object);
      }
      return objects;
    } catch (ReflectiveOperationException e) {
      throw new IOException(e);
    }
  }

  private static void set(Field field, Object object, Object page, int row)
      throws IllegalAccessException {
    if (field.getType() == char.class) {
      field.setChar(object, (char) ((short[]) page)[row]);
    } else if (field.getType() == Date.class) {
      field.set(object, new Date(((long[]) page)[row]));
    } else if (page instanceof TextPage texts) {
      field.set(object, texts.get(row));
    } else {
      field.set(object, Array.get(page, row));
    }
  }
}
