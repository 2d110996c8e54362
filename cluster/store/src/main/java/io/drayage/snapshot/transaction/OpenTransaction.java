package io.drayage.snapshot.transaction;

import io.drayage.snapshot.RecordLines;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.UUID;

/**
 * A transaction of several workers that may not have ended, as a new primary needs it.
 *
 * @param base the snapshot on which its cargoes are made
 * @param baseChecksum of the entry of the log that made the base; 0 if unknown
 * @param owner the worker that began it; as one word, because it is compared with the log
 * @param lease the time for which it stays open after each renewal
 */
public record OpenTransaction(UUID id, long base, int baseChecksum, String owner, Duration lease) {
  private static final String VERSION = "drayage-open 1";

  public OpenTransaction {
    owner = RecordLines.oneWord(owner);
  }

  ByteBuffer toText() {
    StringBuilder text = new StringBuilder(VERSION).append('\n');
    RecordLines.line(text, "transaction", id, base, RecordLines.HEX.toHexDigits(baseChecksum));
    RecordLines.line(text, "owner", owner);
    RecordLines.line(text, "lease", lease.toMillis());
    return RecordLines.close(text);
  }

  /**
   * Parses a record.
   *
   * @throws IllegalArgumentException if the text is no record of a transaction
   */
  static OpenTransaction parse(String text) {
    RecordLines lines = RecordLines.open(text);
    if (!lines.next().equals(VERSION)) {
      throw new IllegalArgumentException("it does not begin with '%s'".formatted(VERSION));
    }
    String[] transaction = lines.words("transaction", 4);
    OpenTransaction read =
        new OpenTransaction(
            RecordLines.uuid(transaction[1]),
            Long.parseLong(transaction[2]),
            RecordLines.hex(transaction[3]),
            lines.word("owner"),
            Duration.ofMillis(Long.parseLong(lines.word("lease"))));
    lines.requireEnd();
    return read;
  }
}
