package io.drayage.examples;

import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.TableSchema;
import io.drayage.coordination.Coordination;
import io.drayage.coordination.zookeeper.ZooKeeperCoordination;
import io.drayage.coordination.zookeeper.ZooKeeperOptions;
import io.drayage.objectstore.ObjectStore;
import io.drayage.objectstore.ObjectStores;
import io.drayage.store.column.StoredColumn;
import io.drayage.store.column.StoredTable;
import io.drayage.worker.ChangeFeed;
import io.drayage.worker.ChangedTable;
import io.drayage.worker.CommittedChange;
import io.drayage.worker.RowChange;
import io.drayage.worker.WorkerOptions;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a SQLite database in step with a cluster: {@code ZOOKEEPER STORE FILE}. Each commit of the
 * cluster is one transaction in SQLite, which also stores the position. The program may be killed
 * at any time: after a restart, it continues after the last commit in SQLite, without a missing or
 * repeated commit.
 */
public final class KeepInStep {
  private static final Duration POLL = Duration.ofSeconds(1);
  private static final int BATCH_ROWS = 1_000;

  private final Connection database;

  private KeepInStep(Connection database) {
    this.database = database;
  }

  /** Follows until it is killed, and prints the snapshots in the database. */
  public static void main(String... args) throws Exception {
    try (ObjectStore objects = ObjectStores.open(args[1]);
        Coordination coordination = ZooKeeperCoordination.connect(ZooKeeperOptions.of(args[0]));
        Connection database = DriverManager.getConnection("jdbc:sqlite:" + args[2])) {
      database.setAutoCommit(false);
      new KeepInStep(database).follow(coordination, objects);
    }
  }

  private void follow(Coordination coordination, ObjectStore objects)
      throws IOException, SQLException, InterruptedException {
    WorkerOptions options = new WorkerOptions("sqlite");
    OptionalLong position = position();
    try (ChangeFeed feed =
        position.isPresent()
            ? ChangeFeed.openAfter(options, coordination, objects, position.getAsLong())
            : ChangeFeed.openNewest(options, coordination, objects)) {
      if (position.isEmpty()) {
        for (StoredTable table : feed.snapshot().tables()) {
          copy(table);
        }
        commitAt(feed.database(), feed.position());
      } else {
        requireSame(feed.database());
        System.out.println("snapshot " + feed.position());
      }
      while (true) {
        CommittedChange change = feed.next(POLL);
        if (change != null) {
          for (String dropped : change.droppedTables()) {
            execute("DROP TABLE " + quoted(dropped));
          }
          for (TableSchema added : change.newTables()) {
            create(added);
          }
          for (ChangedTable table : change.tables()) {
            apply(table);
          }
          commitAt(feed.database(), change.snapshot());
        }
      }
    }
  }

  /** Returns the snapshot of the database; empty for a new one. */
  private OptionalLong position() throws SQLException {
    execute(
        "CREATE TABLE IF NOT EXISTS drayage_position (snapshot INTEGER NOT NULL, of TEXT NOT NULL)");
    try (Statement statement = database.createStatement();
        ResultSet found = statement.executeQuery("SELECT snapshot FROM drayage_position")) {
      return found.next() ? OptionalLong.of(found.getLong(1)) : OptionalLong.empty();
    }
  }

  /** Refuses another source database, because its snapshots have the same numbers. */
  private void requireSame(UUID source) throws SQLException {
    try (Statement statement = database.createStatement();
        ResultSet found = statement.executeQuery("SELECT of FROM drayage_position")) {
      if (found.next() && !found.getString(1).equals(source.toString())) {
        throw new SQLException(
            "this file follows database %s, not %s".formatted(found.getString(1), source));
      }
    }
  }

  /** Commits rows and position in one transaction. */
  private void commitAt(UUID source, long snapshot) throws SQLException {
    execute("DELETE FROM drayage_position");
    execute("INSERT INTO drayage_position VALUES (?, ?)", snapshot, source.toString());
    database.commit();
    System.out.println("snapshot " + snapshot);
  }

  private void create(TableSchema schema) throws SQLException {
    String columns =
        schema.columns().stream()
            .map(column -> quoted(column.name()) + " " + typeOf(column))
            .collect(Collectors.joining(", "));
    execute(
        "CREATE TABLE %s (drayage_row INTEGER PRIMARY KEY, %s)"
            .formatted(quoted(schema.name()), columns));
  }

  private void copy(StoredTable table) throws SQLException {
    TableSchema schema = table.schema();
    create(schema);
    try (PreparedStatement insert = database.prepareStatement(insertInto(schema))) {
      long waiting = 0;
      for (long row = 0; row < table.rowCount(); row++) {
        if (!table.isDeleted(row)) {
          List<@Nullable Object> values = new ArrayList<>();
          for (StoredColumn column : table.columns()) {
            values.add(column.get(row));
          }
          set(insert, row, values);
          insert.addBatch();
          if (++waiting % BATCH_ROWS == 0) {
            int[] unused = insert.executeBatch();
          }
        }
      }
      int[] unused = insert.executeBatch();
    }
  }

  private void apply(ChangedTable table) throws SQLException {
    try (PreparedStatement insert = database.prepareStatement(insertInto(table.schema()))) {
      table.<SQLException>forEachRow(row -> apply(table.schema().name(), row, insert));
    }
  }

  private void apply(String table, RowChange row, PreparedStatement insert) throws SQLException {
    switch (row.kind()) {
      case INSERT -> {
        set(insert, row.row(), row.values().values());
        int unused = insert.executeUpdate();
      }
      case UPDATE -> {
        Map<String, @Nullable Object> values = row.values();
        String columns =
            values.keySet().stream()
                .map(column -> quoted(column) + " = ?")
                .collect(Collectors.joining(", "));
        List<@Nullable Object> parameters = new ArrayList<>(values.values());
        parameters.add(row.row());
        execute(
            "UPDATE %s SET %s WHERE drayage_row = ?".formatted(quoted(table), columns),
            parameters.toArray());
      }
      case DELETE ->
          execute("DELETE FROM %s WHERE drayage_row = ?".formatted(quoted(table)), row.row());
    }
  }

  private static String insertInto(TableSchema schema) {
    return "INSERT INTO %s VALUES (?%s)"
        .formatted(quoted(schema.name()), ", ?".repeat(schema.columns().size()));
  }

  private static void set(
      PreparedStatement insert, long row, Collection<? extends @Nullable Object> values)
      throws SQLException {
    insert.setLong(1, row);
    int parameter = 2;
    for (Object value : values) {
      insert.setObject(parameter++, value);
    }
  }

  private void execute(String sql, @Nullable Object... parameters) throws SQLException {
    try (PreparedStatement statement = database.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      int unused = statement.executeUpdate();
    }
  }

  private static String typeOf(ColumnSchema column) {
    return switch (column.type()) {
      case BOOLEAN, BYTE, SHORT, INT, LONG -> "INTEGER";
      case FLOAT, DOUBLE -> "REAL";
      case STRING -> "TEXT";
    };
  }

  private static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }
}
