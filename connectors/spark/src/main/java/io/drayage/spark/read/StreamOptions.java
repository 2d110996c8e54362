package io.drayage.spark.read;

import io.drayage.spark.database.DrayageException;
import io.drayage.spark.database.DrayageOption;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.jspecify.annotations.Nullable;

/**
 * The options of a stream that reads a table.
 *
 * @param startingVersion the first snapshot whose changes are read; null to begin with all rows of
 *     the newest one
 * @param maxSnapshots limit of the snapshots of a batch that change the table
 * @param maxBytes limit of the uncompressed bytes of these changes, except for a single snapshot
 */
record StreamOptions(@Nullable Long startingVersion, long maxSnapshots, long maxBytes) {
  /** No options. */
  static final StreamOptions NONE = new StreamOptions(null, Long.MAX_VALUE, Long.MAX_VALUE);

  /**
   * Reads the options.
   *
   * @throws DrayageException if one has a wrong value
   */
  static StreamOptions of(CaseInsensitiveStringMap given) {
    String start = given.get(DrayageOption.STARTING_VERSION.key());
    return new StreamOptions(
        start == null ? null : number(DrayageOption.STARTING_VERSION, start, 0),
        limit(DrayageOption.MAX_SNAPSHOTS, given),
        limit(DrayageOption.MAX_BYTES, given));
  }

  private static long limit(DrayageOption option, CaseInsensitiveStringMap given) {
    String limit = given.get(option.key());
    return limit == null ? Long.MAX_VALUE : number(option, limit, 1);
  }

  private static long number(DrayageOption option, String text, long least) {
    try {
      long number = Long.parseLong(text.strip());
      if (number >= least) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Reported below.
    }
    throw DrayageException.invalidOption(
        "%s must be a number from %s on, not '%s'".formatted(option.key(), least, text));
  }

  boolean hasLimits() {
    return maxSnapshots < Long.MAX_VALUE || maxBytes < Long.MAX_VALUE;
  }

  /**
   * Fails for a query that is no stream.
   *
   * @param what it reads
   */
  void requireNone(String what) {
    if (!equals(NONE)) {
      throw DrayageException.invalidOption(
          "%s: %s, %s and %s are options of a stream"
              .formatted(
                  what,
                  DrayageOption.STARTING_VERSION.key(),
                  DrayageOption.MAX_SNAPSHOTS.key(),
                  DrayageOption.MAX_BYTES.key()));
    }
  }

  /** Returns these limits with another start. */
  StreamOptions from(@Nullable Long start) {
    return new StreamOptions(start, maxSnapshots, maxBytes);
  }
}
