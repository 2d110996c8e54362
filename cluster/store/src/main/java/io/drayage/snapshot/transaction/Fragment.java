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
 * @param addedBytes by how much the database would grow in memory, at least
 */
public record Fragment(UUID transaction, SnapshotContents cargo, long addedBytes) {
  private static final String VERSION = "drayage-fragment 1";

  /** Its id. */
  public UUID id() {
    return cargo.header().transactionId();
  }

  /** Where its record is. */
  public FragmentPlace place() {
    return new FragmentPlace(transaction, id());
  }

  /** How long its data is. */
  public long dataBytes() {
    return cargo.data().digest().bytes();
  }

  ByteBuffer toText() {
    StringBuilder text = new StringBuilder(VERSION).append('\n');
    RecordLines.line(text, "transaction %s", transaction);
    RecordLines.line(text, "adds %d", addedBytes);
    RecordLines.addCargoes(text, List.of(cargo));
    return RecordLines.close(text);
  }

  /**
   * Reads one.
   *
   * @throws IllegalArgumentException if the text is none
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
