package io.drayage.spark.read;

import static io.drayage.internal.Texts.format;

import io.drayage.database.LogPosition;
import io.drayage.spark.database.DrayageException;
import io.drayage.spark.database.DrayageException.Condition;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.sql.connector.read.streaming.Offset;
import org.jspecify.annotations.Nullable;

/** The place of a stream: the entry of the log up to which it has read. */
final class StreamOffset extends Offset {
  /** The place before the rows of the first snapshot that the stream reads. */
  static final StreamOffset BEGIN = new StreamOffset(null);

  private static final String JSON_BEGIN = "{\"snapshot\":\"none\"}";
  private static final Pattern JSON =
      Pattern.compile(
          "\\{\"database\":\"([0-9a-f-]{36})\",\"snapshot\":([0-9]{1,18}),\"checksum\":\"([0-9a-f]{8})\"\\}");

  private final @Nullable LogPosition entry;

  private StreamOffset(@Nullable LogPosition entry) {
    this.entry = entry;
  }

  static StreamOffset of(LogPosition entry) {
    return new StreamOffset(entry);
  }

  /**
   * Reads an offset of a checkpoint.
   *
   * @throws DrayageException if it is none
   */
  static StreamOffset parse(String json) {
    if (json.equals(JSON_BEGIN)) {
      return BEGIN;
    }
    Matcher parts = JSON.matcher(json);
    if (!parts.matches()) {
      throw new DrayageException(
          Condition.FAILED,
          "the checkpoint of the stream has no place in the log of a Drayage database: " + json);
    }
    return of(
        new LogPosition(
            UUID.fromString(parts.group(1)),
            Long.parseLong(parts.group(2)),
            Integer.parseUnsignedInt(parts.group(3), 16)));
  }

  /** Returns the entry; null for {@link #BEGIN}. */
  @Nullable LogPosition entry() {
    return entry;
  }

  @Override
  public String json() {
    return entry == null
        ? JSON_BEGIN
        : format(
            "{\"database\":\"%s\",\"snapshot\":%d,\"checksum\":\"%08x\"}",
            entry.database(), entry.timestamp(), entry.checksum());
  }
}
