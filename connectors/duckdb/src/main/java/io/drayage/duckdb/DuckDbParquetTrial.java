package io.drayage.duckdb;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
import io.drayage.duckdb.sql.KeptTypes;
import io.drayage.duckdb.sql.Relation;
import io.drayage.duckdb.sql.Sql;
import io.drayage.internal.Begun;
import io.drayage.internal.Counted;
import io.drayage.tables.ParquetTrial;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.duckdb.DuckDBResultSet;

/** Writes with DuckDB, from a temporary table, which DuckDB does not compress. */
final class DuckDbParquetTrial implements ParquetTrial {
  private static final String TABLE = "trial";
  private static final String COLUMN = "value";

  private final WorkFolder folder = new WorkFolder();
  private final BufferAllocator memory = new RootAllocator();
  private final Path file = folder.path().resolve("trial.parquet");
  private final String written = "read_parquet(%s)".formatted(Sql.text(file));
  private final Sql sql;
  private long rows;

  DuckDbParquetTrial() throws IOException {
    try (Begun begun = new Begun(folder::close)) {
      sql = new Sql(folder.path());
      sql.run("SET threads = 1");
      begun.keep(sql);
    }
  }

  @Override
  public String version() {
    try {
      return "DuckDB " + sql.rows("SELECT version()").get(0).get(0);
    } catch (IOException e) {
      return "DuckDB";
    }
  }

  @Override
  public void load(ColumnValues values) throws IOException {
    ChangeCargo cargo =
        ChangeCargo.builder(new UUID(0, 0), 0)
            .table(TABLE, changes -> changes.insert(COLUMN, values))
            .build();
    rows = values.rowCount();
    LiveRowsReader.read(
        cargo.tables().get(0),
        KeptTypes.of(cargo),
        sql,
        memory,
        select -> sql.run("CREATE OR REPLACE TEMP TABLE %s AS %s".formatted(TABLE, select)));
  }

  @Override
  public Pass pass(boolean zstd) throws IOException {
    String copy =
        "COPY %s TO %s (FORMAT parquet%s)"
            .formatted(TABLE, Sql.text(file), zstd ? ", CODEC zstd" : "");
    long started = System.nanoTime();
    sql.run(copy);
    long writeNs = System.nanoTime() - started;
    started = System.nanoTime();
    long found = readVectors();
    long readNs = System.nanoTime() - started;
    if (found != rows) {
      throw new IOException(format("Parquet has %,d of %s", found, Counted.of(rows, "row")));
    }
    return new Pass(Files.size(file), writeNs, readNs);
  }

  private long readVectors() throws IOException {
    long found = 0;
    try (Statement statement = sql.connection().createStatement();
        ResultSet result = statement.executeQuery("SELECT * FROM " + written);
        ArrowReader batches =
            (ArrowReader)
                result
                    .unwrap(DuckDBResultSet.class)
                    .arrowExportStream(memory, ColumnValues.DEFAULT_ROWS_PER_PAGE)) {
      while (batches.loadNextBatch()) {
        found += batches.getVectorSchemaRoot().getRowCount();
      }
      return found;
    } catch (SQLException e) {
      throw Sql.ownFailure(e);
    }
  }

  @Override
  public ColumnValues read() throws IOException {
    Relation relation = Relation.of(sql, TABLE, written);
    return WholeTable.read(sql, memory, relation, relation.columns(), Math.toIntExact(rows))
        .get(0)
        .values();
  }

  @Override
  public void close() {
    sql.close();
    memory.close();
    folder.close();
  }
}
