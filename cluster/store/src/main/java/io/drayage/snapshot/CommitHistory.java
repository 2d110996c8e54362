package io.drayage.snapshot;

import static io.drayage.internal.Texts.format;

import io.drayage.objectstore.ObjectCorruptException;
import io.drayage.objectstore.ObjectStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * The transactions up to a full snapshot, with their timestamps, so that a repeated commit is
 * recognized after its log entry has been deleted. 24 bytes each, little-endian: the two halves of
 * the id, high first, and the timestamp.
 */
final class CommitHistory {
  private static final int ENTRY_BYTES = 3 * Long.BYTES;
  private static final int BUFFERED_ENTRIES = 4096;

  /** Limit of the transactions read: about 1 GB of memory. */
  private static final int MAX_ENTRIES = 10_000_000;

  private CommitHistory() {}

  static StoredBytes write(ObjectStore store, String key, Map<UUID, Long> timestamps)
      throws IOException {
    ByteBuffer buffer =
        ByteBuffer.allocate(BUFFERED_ENTRIES * ENTRY_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    try (DigestingUpload upload = new DigestingUpload(store.begin(key))) {
      for (Iterator<Map.Entry<UUID, Long>> it = timestamps.entrySet().iterator(); it.hasNext(); ) {
        Map.Entry<UUID, Long> entry = it.next();
        buffer.putLong(entry.getKey().getMostSignificantBits());
        buffer.putLong(entry.getKey().getLeastSignificantBits());
        buffer.putLong(entry.getValue());
        if (!buffer.hasRemaining() || !it.hasNext()) {
          upload.write(buffer.flip());
          buffer.clear();
        }
      }
      return new StoredBytes(key, upload.complete());
    }
  }

  static Map<UUID, Long> read(ObjectStore store, StoredBytes history) throws IOException {
    long entries = history.digest().bytes() / ENTRY_BYTES;
    if (history.digest().bytes() % ENTRY_BYTES != 0 || entries > MAX_ENTRIES) {
      throw new ObjectCorruptException(
          store.name(),
          history.key(),
          format(
              "%,d bytes are not a history of up to %,d transactions",
              history.digest().bytes(), MAX_ENTRIES));
    }
    ByteBuffer bytes = ByteBuffer.allocate((int) history.digest().bytes());
    bytes.order(ByteOrder.LITTLE_ENDIAN);
    for (int block = 0; block < history.digest().blockCount(); block++) {
      history.readBlock(store, block, bytes.position((int) history.digest().offset(block)));
    }
    bytes.clear();
    Map<UUID, Long> timestamps = new LinkedHashMap<>();
    while (bytes.hasRemaining()) {
      timestamps.put(new UUID(bytes.getLong(), bytes.getLong()), bytes.getLong());
    }
    return timestamps;
  }
}
