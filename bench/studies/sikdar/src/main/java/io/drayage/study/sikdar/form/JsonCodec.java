package io.drayage.study.sikdar.form;

import jakarta.json.Json;
import jakarta.json.JsonArrayBuilder;
import jakarta.json.JsonObject;
import jakarta.json.JsonObjectBuilder;
import jakarta.json.JsonReader;
import jakarta.json.JsonReaderFactory;
import jakarta.json.JsonValue;
import jakarta.json.JsonWriter;
import jakarta.json.JsonWriterFactory;
import jakarta.json.stream.JsonGenerator;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * JSON with line breaks and indentation, compressed by gzip. The study's code leaves out three
 * fields, and so does {@code asCoded}. Reflection finds the fields, which costs little beside the
 * text.
 */
final class JsonCodec implements ObjectCodec {
  /** Fields that the study's code leaves out; no other class has fields of these names. */
  private static final Set<String> FORGOTTEN = Set.of("size", "lineStatus", "receiptDate");

  private static final ClassValue<List<Field>> FIELDS =
      new ClassValue<>() {
        @Override
        protected List<Field> computeValue(Class<?> type) {
          return Arrays.stream(type.getFields())
              .filter(field -> !Modifier.isStatic(field.getModifiers()))
              .toList();
        }
      };

  private final boolean asCoded;
  private final JsonWriterFactory writers =
      Json.createWriterFactory(Map.of(JsonGenerator.PRETTY_PRINTING, true));
  private final JsonReaderFactory readers = Json.createReaderFactory(Map.of());

  JsonCodec(boolean asCoded) {
    this.asCoded = asCoded;
  }

  @Override
  public String name() {
    return asCoded ? "JSON gzip as coded" : "JSON gzip";
  }

  @Override
  public byte[] write(ObjectKind kind, Object object) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonWriter writer = writers.createWriter(new GZIPOutputStream(bytes))) {
      writer.writeObject(json(object).build());
    } catch (IllegalAccessException e) {
      throw new IOException(e);
    }
    return bytes.toByteArray();
  }

  private JsonObjectBuilder json(Object object) throws IllegalAccessException {
    JsonObjectBuilder builder = Json.createObjectBuilder();
    for (Field field : FIELDS.get(object.getClass())) {
      String name = field.getName();
      if (asCoded && FORGOTTEN.contains(name)) {
        continue;
      }
      Object value = field.get(object);
      if (value instanceof Integer number) {
        builder.add(name, number);
      } else if (value instanceof Double number) {
        builder.add(name, number);
      } else if (value instanceof String text) {
        builder.add(name, text);
      } else if (value instanceof List<?> list) {
        JsonArrayBuilder array = Json.createArrayBuilder();
        for (Object each : list) {
          array.add(json(each));
        }
        builder.add(name, array);
      } else {
        builder.add(name, json(value));
      }
    }
    return builder;
  }

  @Override
  public Object read(ObjectKind kind, byte[] bytes) throws IOException {
    try (JsonReader reader =
        readers.createReader(new GZIPInputStream(new ByteArrayInputStream(bytes)))) {
      return object(reader.readObject(), kind.type());
    } catch (ReflectiveOperationException e) {
      throw new IOException(e);
    }
  }

  private static Object object(JsonObject json, Class<?> type) throws ReflectiveOperationException {
    Object object = type.getConstructor().newInstance();
    for (Field field : FIELDS.get(type)) {
      String name = field.getName();
      if (!json.containsKey(name)) {
        continue;
      }
      Class<?> fieldType = field.getType();
      if (fieldType == int.class) {
        field.setInt(object, json.getInt(name));
      } else if (fieldType == double.class) {
        field.setDouble(object, json.getJsonNumber(name).doubleValue());
      } else if (fieldType == String.class) {
        field.set(object, json.getString(name));
      } else if (fieldType == List.class) {
        List<Object> list = new ArrayList<>();
        Class<?> elements =
            (Class<?>) ((ParameterizedType) field.getGenericType()).getActualTypeArguments()[0];
        for (JsonValue each : json.getJsonArray(name)) {
          list.add(object(each.asJsonObject(), elements));
        }
        field.set(object, list);
      } else {
        field.set(object, object(json.getJsonObject(name), fieldType));
      }
    }
    return object;
  }
}
