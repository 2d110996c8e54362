package io.drayage.objectstore;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A store in memory, which never fails: for tests of what is stored, thousands of times. */
public final class MemoryObjects implements ObjectStore {
  private final Map<String, byte[]> objects = new ConcurrentSkipListMap<>();

  @Override
  public String name() {
    return "memory:";
  }

  @Override
  public ObjectUpload begin(String key) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    return new ObjectUpload() {
      @Override
      public void write(ByteBuffer bytes) {
        byte[] piece = new byte[bytes.remaining()];
        bytes.get(piece);
        content.writeBytes(piece);
      }

      @Override
      public void complete() throws ObjectExistsException {
        if (objects.putIfAbsent(key, content.toByteArray()) != null) {
          throw new ObjectExistsException(name(), key, null);
        }
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public void read(String key, long offset, ByteBuffer target) throws ObjectStoreException {
    byte[] content = content(key);
    if (offset + target.remaining() > content.length) {
      throw new ObjectCorruptException(name(), key, "it is too short", null);
    }
    target.put(content, (int) offset, target.remaining());
  }

  @Override
  public long size(String key) throws ObjectMissingException {
    return content(key).length;
  }

  private byte[] content(String key) throws ObjectMissingException {
    byte @Nullable [] content = objects.get(key);
    if (content == null) {
      throw new ObjectMissingException(name(), key, null);
    }
    return content;
  }

  @Override
  public List<StoredObject> list(String prefix) {
    return objects.entrySet().stream()
        .filter(object -> object.getKey().startsWith(prefix))
        .map(object -> new StoredObject(object.getKey(), object.getValue().length, Instant.EPOCH))
        .toList();
  }

  @Override
  public void delete(String key) {
    objects.remove(key);
  }

  @Override
  public int deleteUnfinished(Predicate<String> keys, Duration age) {
    return 0;
  }

  @Override
  public void close() {}
}
