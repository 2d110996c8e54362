package io.drayage.simulation;

import io.drayage.objectstore.ObjectCorruptException;
import io.drayage.objectstore.ObjectExistsException;
import io.drayage.objectstore.ObjectMissingException;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.ObjectStoreException;
import io.drayage.objectstore.ObjectUpload;
import io.drayage.objectstore.StoredObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Predicate;

/** A store in memory that is slow, and fails on demand before or after it has done its work. */
final class SimStore implements ObjectStore {
  private static final int SLOWEST_MS = 20;

  private final Map<String, byte[]> objects = new TreeMap<>();
  private final SplittableRandom random;
  private int failPercent;
  private boolean full;

  SimStore(SplittableRandom random) {
    this.random = random;
  }

  /** How many calls in a hundred fail from now on, and whether nothing can be stored. */
  void trouble(int percent, boolean diskFull) {
    failPercent = percent;
    full = diskFull;
  }

  private void callBegins(String key) throws IOException {
    try {
      Thread.sleep(random.nextInt(SLOWEST_MS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ObjectStoreException(name(), key, "interrupted", e);
    }
    callEnds(key);
  }

  private void callEnds(String key) throws IOException {
    if (random.nextInt(200) < failPercent) {
      throw new ObjectStoreException(name(), key, "no answer", null);
    }
  }

  private byte[] content(String key) throws ObjectMissingException {
    byte[] content = objects.get(key);
    if (content == null) {
      throw new ObjectMissingException(name(), key, null);
    }
    return content;
  }

  @Override
  public String name() {
    return "simulated";
  }

  @Override
  public ObjectUpload begin(String key) throws IOException {
    callBegins(key);
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    return new ObjectUpload() {
      @Override
      public void write(ByteBuffer bytes) throws IOException {
        callBegins(key);
        if (full) {
          throw new ObjectStoreException(name(), key, "the disk is full", null);
        }
        byte[] piece = new byte[bytes.remaining()];
        bytes.get(piece);
        written.write(piece);
      }

      @Override
      public void complete() throws IOException {
        callBegins(key);
        if (objects.putIfAbsent(key, written.toByteArray()) != null) {
          throw new ObjectExistsException(name(), key, null);
        }
        callEnds(key);
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public void read(String key, long offset, ByteBuffer target) throws IOException {
    callBegins(key);
    byte[] content = content(key);
    if (offset + target.remaining() > content.length) {
      throw new ObjectCorruptException(
          name(), key, "has only %,d bytes".formatted(content.length), null);
    }
    target.put(content, (int) offset, target.remaining());
  }

  @Override
  public long size(String key) throws IOException {
    callBegins(key);
    return content(key).length;
  }

  @Override
  public List<StoredObject> list(String prefix) throws IOException {
    callBegins(prefix);
    return objects.entrySet().stream()
        .filter(object -> object.getKey().startsWith(prefix))
        .map(
            object ->
                new StoredObject(
                    object.getKey(), object.getValue().length, Instant.ofEpochMilli(0)))
        .toList();
  }

  @Override
  public void delete(String key) throws IOException {
    callBegins(key);
    objects.remove(key);
    callEnds(key);
  }

  @Override
  public int deleteUnfinished(Predicate<String> keys, Duration age) {
    return 0;
  }

  @Override
  public void close() {}
}
