package io.drayage.spark.write;

import static io.drayage.spark.database.DrayageOption.ISOLATION;
import static io.drayage.spark.database.DrayageOption.TXN_APP_ID;
import static io.drayage.spark.database.DrayageOption.TXN_VERSION;

import io.drayage.database.LogPosition;
import io.drayage.frame.AppVersion;
import io.drayage.frame.TransactionRequest;
import io.drayage.spark.database.DrayageException;
import io.drayage.spark.database.DrayageOption;
import io.drayage.spark.database.DrayageOptions;
import io.drayage.spark.database.DrayageUnsupportedException;
import io.drayage.spark.database.TableDescription;
import java.io.IOException;
import org.apache.spark.sql.RuntimeConfig;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.jspecify.annotations.Nullable;

/**
 * The plan of one write.
 *
 * @param found the snapshot in which the statement found the table, before it read anything; the
 *     number -1 means the newest of that database when the write begins
 * @param drops whether it drops the table that {@code found} has
 * @param isNew whether it creates the table, which must not exist when it commits, unless the plan
 *     drops it
 * @param deletesAll whether it deletes the existing rows of the table
 * @param changes whether it updates or deletes rows of {@code found}
 * @param serializable whether it fails if others have inserted into the table meanwhile
 * @param app the number that the application gives it for this table, so that it takes effect once;
 *     null for none
 */
public record WritePlan(
    DrayageOptions options,
    TableDescription table,
    LogPosition found,
    boolean drops,
    boolean isNew,
    boolean deletesAll,
    boolean changes,
    boolean serializable,
    @Nullable AppVersion app) {
  /** Returns a plan that only adds rows of tasks to a table. */
  public static WritePlan append(
      DrayageOptions options, TableDescription table, LogPosition found) {
    return new WritePlan(options, table, found, false, false, false, false, false, null);
  }

  /**
   * Returns a plan that creates the table and adds rows.
   *
   * @param searched the snapshot in which the table was not found
   */
  public static WritePlan create(
      DrayageOptions options, TableDescription table, LogPosition searched) {
    return new WritePlan(options, table, newest(searched), false, true, false, false, false, null);
  }

  /**
   * Returns a plan that drops a table, creates another one of its name, and adds rows.
   *
   * @param table the new table
   * @param found the snapshot that has the table which is dropped
   */
  public static WritePlan replace(
      DrayageOptions options, TableDescription table, LogPosition found) {
    return new WritePlan(options, table, found, true, true, false, false, false, null);
  }

  /** Returns a plan that drops a table. */
  public static WritePlan drop(DrayageOptions options, TableDescription table, LogPosition found) {
    return new WritePlan(options, table, found, true, false, false, false, false, null);
  }

  /** Returns a position for the newest snapshot of that database. */
  private static LogPosition newest(LogPosition found) {
    return new LogPosition(found.database(), TransactionRequest.Begin.NEWEST, 0);
  }

  /** Returns this plan with the existing rows deleted first. */
  public WritePlan deletingAll() {
    return new WritePlan(options, table, found, drops, isNew, !isNew, changes, serializable, app);
  }

  /** Returns this plan with updates and deletes of existing rows. */
  public WritePlan changing() {
    return new WritePlan(options, table, found, drops, isNew, deletesAll, true, serializable, app);
  }

  /**
   * Returns this plan with the number from the session, if one was taken.
   *
   * @throws DrayageException if the number is wrong
   */
  public WritePlan numbered(GivenNumber number) {
    AppVersion taken = number.forTable(table.name());
    return new WritePlan(
        options, table, found, drops, isNew, deletesAll, changes, serializable, taken);
  }

  /**
   * Returns the snapshot on which the transaction begins. A plan that only inserts can use any,
   * unless it is serializable: nobody may have inserted since the statement began to read. A plan
   * that drops the table uses the snapshot in which it was found: nobody may have changed it since.
   */
  LogPosition base() {
    return drops || changes || serializable ? found : newest(found);
  }

  /** Returns a snapshot that had the table when the write was planned. */
  long madeUntil() {
    return Math.max(table.made(), found.timestamp());
  }

  /** Runs the write now, without tasks. */
  public void run() {
    takeApp();
    try {
      WriteTransaction.run(this);
    } catch (IOException e) {
      throw table.failed(e);
    }
  }

  /**
   * Returns this plan with the options of a query.
   *
   * @throws DrayageException if an option is unknown or has a wrong value, with its name
   */
  public WritePlan with(CaseInsensitiveStringMap asked) {
    DrayageOption.requireKnown(
        "table " + table.name(), asked, DrayageOption.Place.WRITE, DrayageOption.Place.STREAM);
    DrayageOption.requireKnownSettings();
    RuntimeConfig session = SparkSession.active().conf();
    String isolation =
        asked.getOrDefault(ISOLATION.key(), session.get(ISOLATION.setting(), ISOLATION.fallback()));
    if (!isolation.equals("snapshot") && !isolation.equals("serializable")) {
      throw DrayageException.invalidOption(
          "isolation must be snapshot or serializable, not '%s'".formatted(isolation));
    }
    AppVersion asWrite =
        new GivenNumber(asked.get(TXN_APP_ID.key()), asked.get(TXN_VERSION.key()))
            .forTable(table.name());
    AppVersion taken = app == null ? appOf(session) : app;
    return new WritePlan(
        options,
        table,
        found,
        drops,
        isNew,
        deletesAll,
        changes,
        isolation.equals("serializable"),
        asWrite == null ? taken : asWrite);
  }

  private @Nullable AppVersion appOf(RuntimeConfig session) {
    return GivenNumber.of(session).forTable(table.name());
  }

  /**
   * Takes the number that the session gave this write, which begins. No other write uses the
   * number, even if this one fails.
   */
  void takeApp() {
    if (app != null && isOfSession(app)) {
      GivenNumber unused = GivenNumber.take();
    }
  }

  /** Whether the session has this number. Never fails: a later statement may have changed it. */
  private boolean isOfSession(AppVersion app) {
    try {
      return app.equals(appOf(SparkSession.active().conf()));
    } catch (DrayageException e) {
      return false;
    }
  }

  /**
   * Returns this plan for epochs of a stream, each of which begins on the newest snapshot. Spark
   * does not cast their rows, as it does for batches.
   *
   * @throws UnsupportedOperationException if a column of its rows has another type than the
   *     table's, or if the query has a number of its own; that of the session does not count
   */
  WritePlan ofStream(StructType rows) {
    if (app != null && !isOfSession(app)) {
      throw new DrayageUnsupportedException(
          "table %s: leave txnAppId and txnVersion out: a stream has its id and its epochs"
              .formatted(table.name()));
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
        options,
        table.madeIn(madeUntil()),
        newest(found),
        drops,
        isNew,
        deletesAll,
        changes,
        serializable,
        null);
  }
}
