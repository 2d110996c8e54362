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
        options, table, newest(found), isNew, deletesAll, changes, serializable, null);
  }
}
