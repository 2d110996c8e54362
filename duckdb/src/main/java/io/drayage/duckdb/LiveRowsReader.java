package io.drayage.duckdb;

import io.drayage.arrow.ArrowBatches;
import io.drayage.cargo.TableChanges;
import io.drayage.cli.tables.TableException;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** The inserted rows of a table as Arrow batches, with the types that the columns have. */
final class LiveRowsReader extends ArrowBatches {
  private final TableChanges table;
  private final List<ValueType> types;

  LiveRowsReader(TableChanges table, KeptTypes kept, BufferAllocator memory) {
    this(
        table,
        table.insertedColumns().stream().map(column -> kept.of(table.table(), column)).toList(),
        memory);
  }

  private LiveRowsReader(TableChanges table, List<ValueType> types, BufferAllocator memory) {
    super(
        table.insertedColumns(),
        new Schema(
            IntStream.range(0, types.size())
                .mapToObj(
                    i ->
                        Field.nullable(
                            table.insertedColumns().get(i).column(), types.get(i).arrow()))
                .toList()),
        memory);
    this.table = table;
    this.types = types;
  }

  /** What the columns are. */
  List<ValueType> types() {
    return types;
  }

  @Override
  public boolean loadNextBatch() throws IOException {
    try {
      return super.loadNextBatch();
    } catch (IllegalArgumentException e) {
      throw new TableException("table '%s', %s".formatted(table.table(), e.getMessage()), e);
    }
  }
}
