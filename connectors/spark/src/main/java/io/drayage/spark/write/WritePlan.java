package io.drayage.spark.write;

import io.drayage.database.LogPosition;
import io.drayage.frame.AppVersion;
import io.drayage.frame.TransactionRequest;
import io.drayage.spark.database.DrayageException;
import io.drayage.spark.database.DrayageOptions;
import io.drayage.spark.database.DrayageUnsupportedException;
import io.drayage.spark.database.TableDescription;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.RuntimeConfig;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.jspecify.annotations.Nullable;
import scala.jdk.javaapi.CollectionConverters;

/**
 * What one write is to do.
 *
 * @param found the snapshot in which the statement found the table, before it read anything; of the
 *     number -1 for the newest of that database when the write begins
 * @param isNew whether it makes the table, which nobody else may have made when it commits
 * @param deletesAll whether it deletes the rows that the table has
 * @param changes whether it updates or deletes rows of {@code found}
 * @param serializable whether it fails if others have inserted into the table meanwhile
 * @param app the number that the application gives it for this table, so that it takes effect once;
 *     null for none
 */
public record WritePlan(
    DrayageOptions options,
    TableDescription table,
    LogPosition found,
    boolean isNew,
    boolean deletesAll,
    boolean changes,
    boolean serializable,
    @Nullable AppVersion app) {
  private static final String ISOLATION = "isolation";
  private static final Set<String> KNOWN =
      Set.of(GivenNumber.APP_ID, GivenNumber.APP_VERSION, ISOLATION);

  /** Without options of a write, the values of the session count, as {@code SET} sets them. */
  static final String OF_SESSION = "spark.drayage.";

  /** Spark's own of a stream, which it hands over with ours. */
  private static final Set<String> OF_STREAMS = Set.of("checkpointLocation", "queryName");

  /** The least: rows of tasks are added to a table. */
  public static WritePlan append(
      DrayageOptions options, TableDescription table, LogPosition found) {
    return new WritePlan(options, table, found, false, false, false, false, null);
  }

  /**
   * The same, and the table is new.
   *
   * @param searched the snapshot in which it was not found
   */
  public static WritePlan create(
      DrayageOptions options, TableDescription table, LogPosition searched) {
    return new WritePlan(options, table, newest(searched), true, false, false, false, null);
  }

  /** Whichever is the newest of that database. */
  private static LogPosition newest(LogPosition found) {
    return new LogPosition(found.database(), TransactionRequest.Begin.NEWEST, 0);
  }

  /** The same, but the rows that are there are deleted first. */
  public WritePlan deletingAll() {
    return new WritePlan(options, table, found, isNew, !isNew, changes, serializable, app);
  }

  /** The same, but rows that are there are updated and deleted, too. */
  public WritePlan changing() {
    return new WritePlan(options, table, found, isNew, deletesAll, true, serializable, app);
  }

  /**
   * The same with a number that was taken from the session, if one was.
   *
   * @throws DrayageException if it is none
   */
  public WritePlan numbered(GivenNumber number) {
    AppVersion taken = number.forTable(table.name());
    return new WritePlan(options, table, found, isNew, deletesAll, changes, serializable, taken);
  }

  /**
   * The snapshot that the transaction begins on. What only inserts needs none in particular, unless
   * it is serializable: then nobody may have inserted since the statement began to read.
   */
  LogPosition base() {
    return changes || serializable ? found : newest(found);
  }

  /** Does it at once, with rows of no task. */
  public void run() {
    takeApp();
    try {
      WriteTransaction.run(this);
    } catch (IOException e) {
      throw table.failed(e);
    }
  }

  /**
   * The same with what a query asks for.
   *
   * @throws DrayageException if an option is unknown or no such value, naming it
   */
  public WritePlan with(CaseInsensitiveStringMap asked) {
    for (Map.Entry<String, String> each : asked.asCaseSensitiveMap().entrySet()) {
      if (Stream.of(KNOWN, OF_STREAMS)
          .flatMap(Set::stream)
          .noneMatch(each.getKey()::equalsIgnoreCase)) {
        throw invalid(
            "table %s: there is no write option '%s', only %s"
                .formatted(table.name(), each.getKey(), String.join(", ", new TreeSet<>(KNOWN))));
      }
    }
    RuntimeConfig session = SparkSession.active().conf();
    requireKnown(session);
    String isolation =
        asked.getOrDefault(ISOLATION, session.get(OF_SESSION + ISOLATION, "snapshot"));
    if (!isolation.equals("snapshot") && !isolation.equals("serializable")) {
      throw invalid(
          "%s must be snapshot or serializable, not '%s'".formatted(ISOLATION, isolation));
    }
    AppVersion asWrite =
        new GivenNumber(asked.get(GivenNumber.APP_ID), asked.get(GivenNumber.APP_VERSION))
            .forTable(table.name());
    AppVersion taken = app == null ? appOf(session) : app;
    return new WritePlan(
        options,
        table,
        found,
        isNew,
        deletesAll,
        changes,
        isolation.equals("serializable"),
        asWrite == null ? taken : asWrite);
  }

  /**
   * Looks at the settings of the session.
   *
   * @throws DrayageException if one is unknown, naming it
   */
  public static void requireKnownSettings() {
    requireKnown(SparkSession.active().conf());
  }

  /** A key that is spelled wrong, in its case too, would count as one that is not set. */
  private static void requireKnown(RuntimeConfig session) {
    Set<String> known = KNOWN.stream().map(OF_SESSION::concat).collect(Collectors.toSet());
    for (String key : CollectionConverters.asJava(session.getAll()).keySet()) {
      if (key.regionMatches(true, 0, OF_SESSION, 0, OF_SESSION.length()) && !known.contains(key)) {
        throw invalid(
            "there is no setting '%s' of a session, only %s: RESET it"
                .formatted(key, String.join(", ", new TreeSet<>(known))));
      }
    }
  }

  private @Nullable AppVersion appOf(RuntimeConfig session) {
    return GivenNumber.of(session).forTable(table.name());
  }

  /**
   * Takes the number that the session gave this write, which begins: it counts for no other,
   * however this one ends.
   */
  void takeApp() {
    if (app != null && isOfSession(app)) {
      GivenNumber unused = GivenNumber.take();
    }
  }

  /** Never fails: what the session says may be of another statement by now. */
  private boolean isOfSession(AppVersion app) {
    try {
      return app.equals(appOf(SparkSession.active().conf()));
    } catch (DrayageException e) {
      return false;
    }
  }

  /**
   * The same for epochs of a stream, of which each begins on the newest snapshot. Their rows reach
   * us as they are, while Spark casts those of batches.
   *
   * @throws UnsupportedOperationException if a column of its rows has not the type of the table's,
   *     or if it is given a number of its own; that of the session does not count
   */
  WritePlan ofStream(StructType rows) {
    if (app != null && !isOfSession(app)) {
      throw new DrayageUnsupportedException(
          "table %s: leave %s and %s out: a stream has its id and its epochs"
              .formatted(table.name(), GivenNumber.APP_ID, GivenNumber.APP_VERSION));
    }
    for (StructField column : table.toSpark().fields()) {
      DataType given = rows.apply(TaskTable.find(column.name(), rows)).dataType();
      if (!given.equals(column.dataType())) {
        throw new DrayageUnsupportedException(
            "column '%s' of table '%s' is %s, and the stream has %s: cast it"
                .formatted(column.name(), table.name(), column.dataType().sql(), given.sql()));
      }
    }
    return new WritePlan(
        options, table, newest(found), isNew, deletesAll, changes, serializable, null);
  }

  private static DrayageException invalid(String text) {
    return new DrayageException(DrayageException.Condition.INVALID_OPTION, text);
  }
}
