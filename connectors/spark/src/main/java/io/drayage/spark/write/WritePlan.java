package io.drayage.spark.write;

import io.drayage.frame.AppVersion;
import io.drayage.spark.database.DrayageOptions;
import io.drayage.spark.database.TableDescription;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.jspecify.annotations.Nullable;

/**
 * What one write is to do.
 *
 * @param isNew whether it adds the table
 * @param deletesAll whether it deletes the rows that the table has
 * @param serializable whether it fails if others have inserted into the table meanwhile
 * @param app the number that the application gives it, so that it takes effect once; null for none
 */
public record WritePlan(
    DrayageOptions options,
    TableDescription table,
    boolean isNew,
    boolean deletesAll,
    boolean serializable,
    @Nullable AppVersion app) {
  private static final String APP_ID = "txnAppId";
  private static final String APP_VERSION = "txnVersion";
  private static final String ISOLATION = "isolation";
  private static final Set<String> KNOWN = Set.of(APP_ID, APP_VERSION, ISOLATION);

  /** Spark's own of a stream, which it hands over with ours. */
  private static final Set<String> OF_STREAMS = Set.of("checkpointLocation", "queryName");

  /** The least: rows of tasks are added to a table. */
  public static WritePlan append(DrayageOptions options, TableDescription table) {
    return new WritePlan(options, table, false, false, false, null);
  }

  /** The same, and the table is new. */
  public static WritePlan create(DrayageOptions options, TableDescription table) {
    return new WritePlan(options, table, true, false, false, null);
  }

  /** The same, but the rows that are there are deleted first. */
  public WritePlan deletingAll() {
    return new WritePlan(options, table, isNew, !isNew, serializable, app);
  }

  /** Does it at once, with rows of no task. */
  public void run() {
    try {
      WriteTransaction.run(this);
    } catch (IOException e) {
      throw table.failed(e);
    }
  }

  /**
   * The same with what a query asks for.
   *
   * @throws IllegalArgumentException if an option is unknown or no such value, naming it
   */
  WritePlan with(CaseInsensitiveStringMap asked) {
    for (Map.Entry<String, String> each : asked.asCaseSensitiveMap().entrySet()) {
      if (Stream.of(KNOWN, OF_STREAMS)
          .flatMap(Set::stream)
          .noneMatch(each.getKey()::equalsIgnoreCase)) {
        throw new IllegalArgumentException(
            "table %s: there is no write option '%s', only %s"
                .formatted(table.name(), each.getKey(), String.join(", ", new TreeSet<>(KNOWN))));
      }
    }
    String isolation = asked.getOrDefault(ISOLATION, "snapshot");
    if (!isolation.equals("snapshot") && !isolation.equals("serializable")) {
      throw new IllegalArgumentException(
          "%s must be snapshot or serializable, not '%s'".formatted(ISOLATION, isolation));
    }
    return new WritePlan(
        options, table, isNew, deletesAll, isolation.equals("serializable"), app(asked));
  }

  /**
   * Fails if a stream cannot do this: its rows reach us as they are, while Spark casts those of
   * batches.
   *
   * @throws UnsupportedOperationException if a column of its rows has not the type of the table's
   * @throws IllegalArgumentException if it has a number of its own
   */
  void requireStream(StructType rows) {
    if (app != null) {
      throw new IllegalArgumentException(
          "table %s: leave %s and %s out: a stream has its id and its epochs"
              .formatted(table.name(), APP_ID, APP_VERSION));
    }
    for (StructField column : table.toSpark().fields()) {
      DataType given = rows.apply(column.name()).dataType();
      if (!given.equals(column.dataType())) {
        throw new UnsupportedOperationException(
            "column '%s' of table '%s' is %s, and the stream has %s: cast it"
                .formatted(column.name(), table.name(), column.dataType().sql(), given.sql()));
      }
    }
  }

  private static @Nullable AppVersion app(CaseInsensitiveStringMap asked) {
    String id = asked.get(APP_ID);
    String version = asked.get(APP_VERSION);
    if ((id == null) != (version == null)) {
      throw new IllegalArgumentException(
          "%s and %s belong together".formatted(APP_ID, APP_VERSION));
    }
    if (id == null) {
      return null;
    }
    try {
      return new AppVersion(id, Long.parseLong(version));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "%s must be a number, not '%s'".formatted(APP_VERSION, version), e);
    }
  }
}
