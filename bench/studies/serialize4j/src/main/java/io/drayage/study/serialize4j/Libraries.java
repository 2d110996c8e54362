package io.drayage.study.serialize4j;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.gson.Gson;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.apache.fory.Fory;
import org.apache.fory.config.Language;
import org.apache.johnzon.mapper.Mapper;
import org.apache.johnzon.mapper.MapperBuilder;

/** The compared libraries, with their defaults where these can read the classes. */
final class Libraries {
  private static final int INITIAL_BYTES = 256;
  private static final Map<String, Function<Class<?>, Library>> ALL = all();

  private Libraries() {}

  /** Writes and reads one object. */
  private interface Codec {
    byte[] write(Object object) throws IOException;

    Object read(byte[] bytes) throws IOException, ClassNotFoundException;
  }

  private static Map<String, Function<Class<?>, Library>> all() {
    Map<String, Function<Class<?>, Library>> all = new LinkedHashMap<>();
    all.put("Java IO", type -> eachAlone(new JavaIo()));
    all.put("Gson", type -> eachAlone(new OfGson(type)));
    all.put("Jackson", type -> eachAlone(new OfJackson(type)));
    all.put("Johnzon", type -> eachAlone(new OfJohnzon(type)));
    all.put("Kryo", type -> eachAlone(new OfKryo(type)));
    all.put("Fory", type -> eachAlone(new OfFory(type)));
    all.put("raw", type -> new ColumnLibrary("raw", type));
    all.put("columnar", type -> new ColumnLibrary("columnar", type));
    return all;
  }

  /** Returns the names of the libraries that can read objects of a class. */
  static List<String> names(Class<?> type) {
    if (type == Beans.ImmutableSingleBoolean.class) {
      return List.of("Java IO", "Gson");
    }
    return type.isRecord()
        ? List.of("Java IO", "Gson", "Jackson", "Johnzon", "Kryo", "Fory")
        : List.copyOf(ALL.keySet());
  }

  /** Makes the library with this name. */
  static Library ofName(String name, Class<?> type) {
    return Objects.requireNonNull(ALL.get(name), name).apply(type);
  }

  private static Library eachAlone(Codec codec) {
    return new Library() {
      @Override
      public List<byte[]> write(List<?> objects) throws IOException {
        List<byte[]> all = new ArrayList<>(objects.size());
        for (Object object : objects) {
          all.add(codec.write(object));
        }
        return all;
      }

      @Override
      public List<Object> read(List<byte[]> bytes) throws IOException {
        List<Object> all = new ArrayList<>(bytes.size());
        for (byte[] each : bytes) {
          try {
            all.add(codec.read(each));
          } catch (ClassNotFoundException e) {
            throw new IOException(e);
          }
        }
        return all;
      }
    };
  }

  private static final class JavaIo implements Codec {
    @Override
    public byte[] write(Object object) throws IOException {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
        out.writeObject(object);
      }
      return bytes.toByteArray();
    }

    @Override
    public Object read(byte[] bytes) throws IOException, ClassNotFoundException {
      try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
        return in.readObject();
      }
    }
  }

  private record OfGson(Gson gson, Class<?> type) implements Codec {
    OfGson(Class<?> type) {
      this(new Gson(), type);
    }

    @Override
    public byte[] write(Object object) {
      return gson.toJson(object).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Object read(byte[] bytes) {
      return gson.fromJson(new String(bytes, StandardCharsets.UTF_8), type);
    }
  }

  private record OfJackson(JsonMapper mapper, Class<?> type) implements Codec {
    OfJackson(Class<?> type) {
      this(JsonMapper.builder().build(), type);
    }

    @Override
    public byte[] write(Object object) throws IOException {
      return mapper.writeValueAsBytes(object);
    }

    @Override
    public Object read(byte[] bytes) throws IOException {
      return mapper.readValue(bytes, type);
    }
  }

  /** Reads fields, since the classes have no accessors; records by their own accessors. */
  private record OfJohnzon(Mapper mapper, Class<?> type) implements Codec {
    OfJohnzon(Class<?> type) {
      this(
          type.isRecord()
              ? new MapperBuilder().build()
              : new MapperBuilder().setAccessModeName("field").build(),
          type);
    }

    @Override
    public byte[] write(Object object) {
      return mapper.writeObjectAsString(object).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public Object read(byte[] bytes) {
      return mapper.readObject(new String(bytes, StandardCharsets.UTF_8), type);
    }
  }

  private record OfKryo(Kryo kryo, Output output, Class<?> type) implements Codec {
    OfKryo(Class<?> type) {
      this(new Kryo(), new Output(INITIAL_BYTES, -1), type);
      kryo.register(type);
      kryo.register(Date.class);
    }

    @Override
    public byte[] write(Object object) {
      output.reset();
      kryo.writeObject(output, object);
      return output.toBytes();
    }

    @Override
    public Object read(byte[] bytes) {
      return kryo.readObject(new Input(bytes), type);
    }
  }

  private record OfFory(Fory fory) implements Codec {
    OfFory(Class<?> type) {
      this(Fory.builder().withLanguage(Language.JAVA).requireClassRegistration(true).build());
      fory.register(type);
    }

    @Override
    public byte[] write(Object object) {
      return fory.serialize(object);
    }

    @Override
    public Object read(byte[] bytes) {
      return fory.deserialize(bytes);
    }
  }
}
