package io.drayage.snapshot;

import static io.drayage.internal.Texts.format;

import io.drayage.database.AppCommit;
import io.drayage.database.KnownTransactions;
import io.drayage.frame.AppVersion;
import io.drayage.frame.ShipmentException;
import io.drayage.objectstore.ObjectCorruptException;
import io.drayage.objectstore.ObjectStore;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The format of the transactions that ended up to a full snapshot. A transaction that is sent again
 * is recognized by it after its log entry has been deleted. Little-endian:
 *
 * <pre>
 * transactions i64 | transaction ... | application ...
 * transaction      | id 2 x i64, high half first | timestamp i64, negative: ended without effect
 * application      | version i64 | timestamp i64 | app bytes u16 | owner bytes u16 | table bytes u16
 *                  | app | owner | tables, one a line
 * </pre>
 */
final class CommitHistory {
  private static final int ENTRY_BYTES = 3 * Long.BYTES;

  /** Bytes written at a time; more than one application needs. */
  private static final int BUFFER_BYTES = 4096 * ENTRY_BYTES;

  /** The limit of one application, with its name, and the names of its owner and its tables. */
  private static final int MAX_APP_BYTES = 4 << 10;

  /**
   * The limit of a history: more than a database remembers, by the limits of {@code KnownCommits}.
   */
  private static final int MAX_BYTES = 288 << 20;

  private CommitHistory() {}

  /**
   * Stores a history.
   *
   * @throws ShipmentException {@code REJECTED} if the history is too long: nothing is stored
   */
  static StoredBytes write(ObjectStore store, String key, KnownTransactions known)
      throws IOException {
    requireRoom(key, known);
    ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    try (DigestingUpload upload = new DigestingUpload(store.begin(key))) {
      buffer.putLong(known.ends().size());
      for (Map.Entry<UUID, Long> end : known.ends().entrySet()) {
        flushFull(buffer, upload, ENTRY_BYTES);
        buffer.putLong(end.getKey().getMostSignificantBits());
        buffer.putLong(end.getKey().getLeastSignificantBits());
        buffer.putLong(end.getValue());
      }
      for (AppCommit commit : known.apps()) {
        flushFull(buffer, upload, MAX_APP_BYTES);
        byte[] app = commit.version().app().getBytes(StandardCharsets.UTF_8);
        byte[] owner = commit.owner().getBytes(StandardCharsets.UTF_8);
        buffer.putLong(commit.version().version()).putLong(commit.timestamp());
        byte[] tables = commit.version().tableBytes();
        buffer.putShort((short) app.length).putShort((short) owner.length);
        buffer.putShort((short) tables.length).put(app).put(owner).put(tables);
      }
      upload.write(buffer.flip());
      return new StoredBytes(key, upload.complete());
    }
  }

  private static void requireRoom(String key, KnownTransactions known) throws ShipmentException {
    long bytes = Long.BYTES + (long) known.ends().size() * ENTRY_BYTES;
    for (AppCommit commit : known.apps()) {
      int ofApp = commit.storedBytes();
      StoredText.requireRoom(key, ofApp, MAX_APP_BYTES, "an application");
      bytes += ofApp;
    }
    StoredText.requireRoom(key, bytes, MAX_BYTES, "a history");
  }

  private static void flushFull(ByteBuffer buffer, DigestingUpload upload, int bytes)
      throws IOException {
    if (buffer.remaining() < bytes) {
      upload.write(buffer.flip());
      buffer.clear();
    }
  }

  static KnownTransactions read(ObjectStore store, StoredBytes history) throws IOException {
    if (history.digest().bytes() > MAX_BYTES) {
      throw corrupt(store, history, null);
    }
    ByteBuffer bytes = ByteBuffer.allocate((int) history.digest().bytes());
    bytes.order(ByteOrder.LITTLE_ENDIAN);
    for (int block = 0; block < history.digest().blockCount(); block++) {
      history.readBlock(store, block, bytes.position((int) history.digest().offset(block)));
    }
    bytes.clear();
    try {
      return parse(bytes);
    } catch (BufferUnderflowException | IllegalArgumentException e) {
      throw corrupt(store, history, e);
    }
  }

  private static ObjectCorruptException corrupt(
      ObjectStore store, StoredBytes history, @Nullable Exception cause) {
    return new ObjectCorruptException(
        store.name(),
        history.key(),
        format("%,d bytes are no history of transactions", history.digest().bytes()),
        cause);
  }

  private static KnownTransactions parse(ByteBuffer bytes) {
    long count = bytes.getLong();
    if (count < 0 || count > bytes.remaining() / ENTRY_BYTES) {
      throw new IllegalArgumentException(format("%,d transactions", count));
    }
    Map<UUID, Long> ends = new HashMap<>();
    for (long i = 0; i < count; i++) {
      ends.put(new UUID(bytes.getLong(), bytes.getLong()), bytes.getLong());
    }
    List<AppCommit> apps = new ArrayList<>();
    while (bytes.hasRemaining()) {
      long version = bytes.getLong();
      long timestamp = bytes.getLong();
      byte[] app = new byte[bytes.getShort() & 0xFFFF];
      byte[] owner = new byte[bytes.getShort() & 0xFFFF];
      byte[] tables = new byte[bytes.getShort() & 0xFFFF];
      bytes.get(app).get(owner).get(tables);
      apps.add(
          new AppCommit(
              new AppVersion(
                  new String(app, StandardCharsets.UTF_8), version, AppVersion.tablesOf(tables)),
              new String(owner, StandardCharsets.UTF_8),
              timestamp));
    }
    return new KnownTransactions(ends, apps);
  }
}
