package io.drayage.snapshot;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.objectstore.ObjectCorruptException;
import io.drayage.objectstore.ObjectExistsException;
import io.drayage.objectstore.ObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The kinds of objects that are texts. No text is written that is too long to be read. */
public enum StoredText {
  /** The limit suffices for a full snapshot of 5 TB, or the most fragments of a transaction. */
  MANIFEST("a manifest", 16 << 20),

  /** A record of a transaction of several workers, or of a fragment. */
  RECORD("a record", 1 << 20);

  private final String what;
  private final int maxBytes;

  StoredText(String what, int maxBytes) {
    this.what = what;
    this.maxBytes = maxBytes;
  }

  int maxBytes() {
    return maxBytes;
  }

  /**
   * Fails if a text is too long.
   *
   * @throws ShipmentException {@code REJECTED} in that case; names the length and the limit
   */
  void requireRoom(String key, ByteBuffer text) throws ShipmentException {
    requireRoom(key, text.remaining(), maxBytes, what);
  }

  /** Fails if a part of an object is too long. */
  static void requireRoom(String key, long bytes, int maxBytes, String what)
      throws ShipmentException {
    if (bytes > maxBytes) {
      throw new ShipmentException(Fault.REJECTED, key + ": " + tooLong(bytes, maxBytes, what));
    }
  }

  private static String tooLong(long bytes, int maxBytes, String what) {
    return format("%,d bytes exceed the %,d of %s", bytes, maxBytes, what);
  }

  /**
   * Stores a text.
   *
   * @throws ShipmentException {@code REJECTED} if the text is too long: nothing is stored
   * @throws ObjectExistsException if an object of this key exists
   */
  public void put(ObjectStore store, String key, ByteBuffer text) throws IOException {
    requireRoom(key, text);
    store.put(key, text);
  }

  /**
   * Reads a text.
   *
   * @throws ObjectCorruptException if the text is too long
   */
  public ByteBuffer read(ObjectStore store, String key) throws IOException {
    long bytes = store.size(key);
    if (bytes > maxBytes) {
      throw new ObjectCorruptException(store.name(), key, tooLong(bytes, maxBytes, what), null);
    }
    ByteBuffer text = ByteBuffer.allocate((int) bytes);
    store.read(key, 0, text);
    return text.flip();
  }
}
