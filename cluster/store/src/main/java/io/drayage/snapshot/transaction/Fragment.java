package io.drayage.snapshot.transaction;

import static io.drayage.internal.Texts.format;

import io.drayage.snapshot.RecordLines;
import io.drayage.snapshot.SnapshotContents;
import io.drayage.snapshot.SnapshotKeys.FragmentPlace;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;

/**
 * A fragment whose data is durable.
 *
 * @param cargo its frames; the id in their header is the fragment's
 * @param addedBytes the least growth of the database in memory
 */
public record Fragment(UUID transaction, SnapshotContents cargo, long addedBytes) {
  private static final String VERSION = "drayage-fragment 1";

  /** The id of the fragment. */
  public UUID id() {
    return cargo.header().transactionId();
  }

  /** The place of its record. */
  public FragmentPlace place() {
    return new FragmentPlace(transaction, id());
  }

  /** The length of its data in bytes. */
  public long dataBytes() {
    return cargo.data().digest().bytes();
  }

  ByteBuffer toText() {
    StringBuilder text = new StringBuilder(VERSION).append('\n');
    RecordLines.line(text, "transaction", transaction);
    RecordLines.line(text, "adds", addedBytes);
    RecordLines.addCargoes(text, List.of(cargo));
    return RecordLines.close(text);
  }

  /**
   * Parses a record.
   *
   * @throws IllegalArgumentException if the text is no record of a fragment
   */
  static Fragment parse(String text) {
    RecordLines lines = RecordLines.open(text);
    if (!lines.next().equals(VERSION)) {
      throw new IllegalArgumentException("it does not begin with '%s'".formatted(VERSION));
    }
    UUID transaction = RecordLines.uuid(lines.word("transaction"));
    long addedBytes = Long.parseLong(lines.word("adds"));
    List<SnapshotContents> cargoes = lines.cargoes();
    lines.requireEnd();
    if (cargoes.size() != 1) {
      throw new IllegalArgumentException(format("a fragment of %,d cargoes", cargoes.size()));
    }
    return new Fragment(transaction, cargoes.get(0), addedBytes);
  }
}
