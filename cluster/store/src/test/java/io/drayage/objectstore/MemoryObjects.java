package io.drayage.objectstore;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Predicate;

/** Objects in this process, which remain after this is closed, for tests that need many stores. */
public final class MemoryObjects implements ObjectStore {
  private final String name;
  private final ConcurrentSkipListMap<String, byte[]> objects = new ConcurrentSkipListMap<>();

  public MemoryObjects(String name) {
    this.name = name;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public ObjectUpload begin(String key) {
    return new KeptUpload() {
      @Override
      protected void complete(byte[] content) throws IOException {
        if (objects.putIfAbsent(ObjectStore.requireKey(key), content) != null) {
          throw new ObjectExistsException(name, key);
        }
      }
    };
  }

  private byte[] get(String key) throws IOException {
    byte[] object = objects.get(key);
    if (object == null) {
      throw new ObjectMissingException(name, key);
    }
    return object;
  }

  @Override
  public void read(String key, long offset, ByteBuffer target) throws IOException {
    byte[] object = get(key);
    if (offset + target.remaining() > object.length) {
      throw new ObjectCorruptException(name, key, "it is too short");
    }
    target.put(object, (int) offset, target.remaining());
  }

  @Override
  public long size(String key) throws IOException {
    return get(key).length;
  }

  @Override
  public List<StoredObject> list(String prefix) {
    return objects.tailMap(prefix).entrySet().stream()
        .takeWhile(object -> object.getKey().startsWith(prefix))
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
