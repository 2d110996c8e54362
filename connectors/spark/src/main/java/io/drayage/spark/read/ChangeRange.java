package io.drayage.spark.read;

import static io.drayage.internal.Texts.format;

import io.drayage.spark.database.DrayageException;
import io.drayage.spark.database.DrayageException.Condition;
import io.drayage.spark.database.DrayageOptions;
import io.drayage.spark.database.DrayageSession;
import io.drayage.spark.database.DrayageUnsupportedException;
import java.io.IOException;
import org.apache.spark.sql.connector.catalog.ChangelogRange;
import org.jspecify.annotations.Nullable;

/**
 * The snapshots whose changes a query reads.
 *
 * @param start the first; null if none is named
 * @param end the last; null for the newest
 */
public record ChangeRange(
    @Nullable Long start, boolean includesStart, @Nullable Long end, boolean includesEnd) {
  /**
   * Converts a range of Spark.
   *
   * @throws DrayageException if a version is no number, or the end is before the start
   * @throws DrayageUnsupportedException for a range of times
   */
  public static ChangeRange of(String table, ChangelogRange range) {
    if (range instanceof ChangelogRange.TimestampRange) {
      throw new DrayageUnsupportedException(
          "table %s: changes are found by the numbers of snapshots, not by a time: use FROM VERSION"
              .formatted(table));
    }
    if (!(range instanceof ChangelogRange.VersionRange versions)) {
      return new ChangeRange(null, true, null, true);
    }
    Long start = number(table, versions.startingVersion());
    Long end = versions.endingVersion().map(version -> number(table, version)).orElse(null);
    if (end != null && end < start) {
      throw new DrayageException(
          Condition.INVALID_RANGE,
          format(
              "table %s: the changes end with %d, before they begin with %d", table, end, start));
    }
    return new ChangeRange(
        start, versions.startingBoundInclusive(), end, versions.endingBoundInclusive());
  }

  private static Long number(String table, String version) {
    try {
      long number = Long.parseLong(version.strip());
      if (number >= 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Reported below.
    }
    throw new DrayageException(
        Condition.SNAPSHOT_NOT_FOUND,
        "table %s: a version is the number of a snapshot, not '%s'".formatted(table, version));
  }

  /**
   * Fails if the begin of the range is not published, or the log no longer has it.
   *
   * @throws DrayageException in these cases
   */
  public void requireKept(DrayageOptions options, String table) {
    if (start == null) {
      return;
    }
    try {
      DrayageSession session = DrayageSession.of(options);
      long newest = session.published().timestamp();
      if (start > newest) {
        throw new DrayageException(
            Condition.SNAPSHOT_NOT_FOUND,
            format("table %s: the newest snapshot is %d, before %d", table, newest, start));
      }
      session.store().requireChangesAfter(first() - 1);
    } catch (IOException e) {
      throw DrayageException.of("table " + table, e);
    }
  }

  /** Returns the first snapshot whose changes are read. Must not be called without a start. */
  long first() {
    if (start == null) {
      throw new IllegalStateException("a range without a start");
    }
    return includesStart ? start : start + 1;
  }

  /**
   * Returns the last snapshot whose changes are read.
   *
   * @param newest the newest one
   */
  long last(long newest) {
    long wanted = end == null ? newest : end;
    return includesEnd ? wanted : wanted - 1;
  }
}
