package io.drayage.objectstore.rate;

import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.ObjectUpload;
import io.drayage.objectstore.StoreSpace;
import io.drayage.objectstore.StoredObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** A store that forwards all calls to another store. Thread-safe. */
public abstract class ForwardingStore implements ObjectStore {
  private final ObjectStore store;

  /**
   * @param store owned by this object from now on
   */
  protected ForwardingStore(ObjectStore store) {
    this.store = store;
  }

  @Override
  public String name() {
    return store.name();
  }

  @Override
  public void requireWritable() throws IOException {
    store.requireWritable();
  }

  @Override
  public ObjectUpload begin(String key) throws IOException {
    return store.begin(key);
  }

  @Override
  public void put(String key, ByteBuffer content) throws IOException {
    store.put(key, content);
  }

  @Override
  public void read(String key, long offset, ByteBuffer target) throws IOException {
    store.read(key, offset, target);
  }

  @Override
  public long size(String key) throws IOException {
    return store.size(key);
  }

  @Override
  public boolean contains(String key) throws IOException {
    return store.contains(key);
  }

  @Override
  public List<StoredObject> list(String prefix) throws IOException {
    return store.list(prefix);
  }

  @Override
  public void delete(String key) throws IOException {
    store.delete(key);
  }

  @Override
  public int deleteUnfinished(Predicate<String> keys, Duration age) throws IOException {
    return store.deleteUnfinished(keys, age);
  }

  @Override
  public Optional<StoreSpace> space() throws IOException {
    return store.space();
  }

  @Override
  public void close() {
    store.close();
  }
}
