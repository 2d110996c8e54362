package io.drayage.cli.cluster;

import io.drayage.store.StoreSnapshot;
import io.drayage.tables.SnapshotSource;
import io.drayage.tables.SqlSession;
import io.drayage.tables.TableEngine;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code drayage worker sql}. */
@Command(
    name = "sql",
    mixinStandardHelpOptions = true,
    description = {
      "Follows a cluster, and runs SQL of DuckDB over its own copy of the database.",
      "",
      "Each statement sees the newest snapshot that the worker has loaded.",
      ""
    },
    footer = {
      "",
      "Examples, with the node of 'drayage transactor --data data':",
      "  drayage worker sql --zookeeper 127.0.0.1:2181 --store fs:data/store \\",
      "      \"SELECT count(*) FROM sales_plan\""
    })
final class WorkerSqlCommand implements Callable<Integer> {
  @Mixin private WorkerOptionsGroup group;
  @Mixin private SqlStatements statements;

  @Override
  public Integer call() throws IOException, InterruptedException {
    TableEngine engine = TableEngine.installed();
    return group.run(
        group.named(),
        worker -> {
          try (Sessions sessions = new Sessions(engine, statements.allowFiles())) {
            return statements.run(
                engine, (sql, format, out) -> sessions.of(worker.snapshot()).run(sql, format, out));
          }
        });
  }

  /** The session of the newest snapshot. */
  private static final class Sessions implements AutoCloseable {
    private final TableEngine engine;
    private final boolean files;
    private @Nullable StoreSnapshot snapshot;
    private @Nullable SqlSession session;

    Sessions(TableEngine engine, boolean files) {
      this.engine = engine;
      this.files = files;
    }

    SqlSession of(StoreSnapshot newest) throws IOException {
      SqlSession open = session;
      if (open == null || snapshot != newest) {
        close();
        open = engine.session(new SnapshotSource(newest), files);
        session = open;
        snapshot = newest;
      }
      return open;
    }

    @Override
    public void close() {
      SqlSession open = session;
      session = null;
      if (open != null) {
        open.close();
      }
    }
  }
}
