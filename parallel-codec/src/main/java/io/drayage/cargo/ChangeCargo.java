package io.drayage.cargo;

import static io.drayage.internal.Texts.format;

import java.io.Serial;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The changes of one transaction, ready to be shipped: essential data, without caches.
 *
 * <p>Immutable, provided that nobody changes its arrays; any thread may read it. Two cargoes hold
 * the same changes if their {@link CargoDigest} is the same. An example:
 *
 * <pre>{@code
 * ChangeCargo cargo =
 *     ChangeCargo.builder(UUID.randomUUID(), baseSnapshot)
 *         .table("sales", sales -> sales
 *             .insert("product", ColumnValues.of(new int[][] {{17, 4}}))
 *             .insert("price", ColumnValues.of(new double[][] {{9.99, 0.5}}))
 *             .update("stock", rowIds, values)
 *             .delete(deletedRows))
 *         .build();
 * }</pre>
 *
 * <p>A cargo may also add tables, and may then fill them. An existing table with the same columns
 * stays as it is, unless the cargo says that the table {@linkplain Builder#mustBeNew must be new}.
 * A cargo may drop tables. A table that it drops and adds is another one, without rows.
 */
public final class ChangeCargo implements Serializable {
  @Serial private static final long serialVersionUID = 1;

  private final long transactionIdHigh;
  private final long transactionIdLow;
  private final long baseSnapshot;
  private final TableChanges[] tables;

  /** Transient: no sender writes a cargo with dropped or new tables into an object stream. */
  private final transient List<String> droppedTables;

  private final transient List<TableSchema> newTables;

  /** The names of the new tables that must not exist. */
  private final transient Set<String> mustBeNew;

  private ChangeCargo(
      UUID transactionId,
      long baseSnapshot,
      List<String> droppedTables,
      List<TableSchema> newTables,
      Set<String> mustBeNew,
      List<TableChanges> tables) {
    this.transactionIdHigh = transactionId.getMostSignificantBits();
    this.transactionIdLow = transactionId.getLeastSignificantBits();
    this.baseSnapshot = baseSnapshot;
    this.droppedTables = List.copyOf(droppedTables);
    this.newTables = List.copyOf(newTables);
    this.mustBeNew = Set.copyOf(mustBeNew);
    this.tables = tables.toArray(TableChanges[]::new);
    TableSchema.requireDistinct(newTables);
    Set<String> seen = new HashSet<>();
    for (String table : droppedTables) {
      Names.check("table", table);
      if (!seen.add(table)) {
        throw new IllegalArgumentException("table '%s' is dropped twice".formatted(table));
      }
    }
    seen.clear();
    newTables.forEach(table -> seen.add(table.name()));
    for (String table : mustBeNew) {
      if (!seen.contains(table)) {
        throw new IllegalArgumentException(
            "table '%s' must be new, but the cargo does not add it".formatted(table));
      }
    }
    seen.clear();
    for (TableChanges table : this.tables) {
      if (!seen.add(table.table())) {
        throw new IllegalArgumentException(
            "table '%s' occurs twice in the cargo".formatted(table.table()));
      }
    }
  }

  /**
   * Starts a cargo.
   *
   * @param transactionId names the transaction; the same cargo sent again has the same id
   * @param baseSnapshot the timestamp of the snapshot on which the changes were made
   */
  public static Builder builder(UUID transactionId, long baseSnapshot) {
    return new Builder(transactionId, baseSnapshot);
  }

  /** The id of the transaction of these changes. A cargo that is sent again has the same id. */
  public UUID transactionId() {
    return new UUID(transactionIdHigh, transactionIdLow);
  }

  /** The timestamp of the snapshot on which the changes were made. */
  public long baseSnapshot() {
    return baseSnapshot;
  }

  /** The names of the tables that are dropped before tables are added. Unmodifiable. */
  public List<String> droppedTables() {
    return droppedTables;
  }

  /** The tables that are added before the changes are made, unless they exist. Unmodifiable. */
  public List<TableSchema> newTables() {
    return newTables;
  }

  /**
   * The names of the new tables that must not exist when the changes are made. These names are not
   * content: the {@link CargoDigest} does not depend on them. Unmodifiable.
   */
  public Set<String> mustBeNew() {
    return mustBeNew;
  }

  /** The changes of each table. Unmodifiable. */
  public List<TableChanges> tables() {
    return List.of(tables);
  }

  @Override
  public String toString() {
    return format(
        "ChangeCargo[%s on snapshot %d%s%s, %s]",
        transactionId(),
        baseSnapshot,
        droppedTables.isEmpty() ? "" : ", drops " + droppedTables,
        newTables.isEmpty() ? "" : ", adds " + newTables,
        tables());
  }

  /** Returns the same changes as another transaction on another snapshot. Shares the arrays. */
  public ChangeCargo as(UUID otherTransactionId, long otherBaseSnapshot) {
    return new ChangeCargo(
        otherTransactionId, otherBaseSnapshot, droppedTables, newTables, mustBeNew, tables());
  }

  /**
   * Returns the same changes, with exactly these new tables. Existing tables are not added.
   *
   * @throws IllegalArgumentException as {@link Builder#build}
   */
  public ChangeCargo adding(List<TableSchema> tablesToAdd) {
    return new ChangeCargo(
        transactionId(), baseSnapshot, droppedTables, tablesToAdd, Set.of(), tables());
  }

  /** Returns the changes of all other tables. Shares the arrays. */
  public ChangeCargo without(String table) {
    return new ChangeCargo(
        transactionId(),
        baseSnapshot,
        droppedTables,
        newTables,
        mustBeNew,
        Stream.of(tables).filter(each -> !each.table().equals(table)).toList());
  }

  /** Checks a cargo from an object stream as strictly as one from a user. */
  @Serial
  private Object readResolve() {
    return new ChangeCargo(transactionId(), baseSnapshot, List.of(), List.of(), Set.of(), tables());
  }

  /** Collects the changes of one transaction. Not thread-safe. */
  public static final class Builder {
    private final UUID transactionId;
    private final long baseSnapshot;
    private final List<String> droppedTables = new ArrayList<>();
    private final List<TableSchema> newTables = new ArrayList<>();
    private final Set<String> mustBeNew = new HashSet<>();
    private final List<TableChanges> tables = new ArrayList<>();

    private Builder(UUID transactionId, long baseSnapshot) {
      this.transactionId = transactionId;
      this.baseSnapshot = baseSnapshot;
    }

    /**
     * Drops a table from the database, before tables are added. The commit is a {@code CONFLICT} if
     * others have changed the table since the base snapshot. If a transaction has several cargoes,
     * only one says so, and no earlier one changes the table. The cargo also deletes the rows that
     * the {@link TypesTable} has for the table.
     */
    public Builder dropTable(String table) {
      droppedTables.add(table);
      return this;
    }

    /** Adds a table to the database, unless the database has it. */
    public Builder newTable(TableSchema table) {
      newTables.add(table);
      return this;
    }

    /**
     * Says that a table of {@link #newTable} must be new. If it exists when the changes are made,
     * the commit is a {@code CONFLICT}. If a transaction has several cargoes, only one says so.
     */
    public Builder mustBeNew(String table) {
      mustBeNew.add(table);
      return this;
    }

    /**
     * Adds the changes to one table.
     *
     * @throws IllegalArgumentException that names table and column, if columns are contradictory
     */
    public Builder table(String table, Consumer<TableChangesBuilder> changes) {
      TableChangesBuilder builder = new TableChangesBuilder(table);
      changes.accept(builder);
      tables.add(builder.build());
      return this;
    }

    /**
     * Returns the cargo.
     *
     * @throws IllegalArgumentException if a table was dropped or added twice, or must be new and
     *     was not added (the message names it), or if the new tables exceed {@link
     *     TableSchema#MAX_NEW_BYTES}
     */
    public ChangeCargo build() {
      return new ChangeCargo(
          transactionId, baseSnapshot, droppedTables, newTables, mustBeNew, tables);
    }
  }

  /** Collects the changes to one table. Not thread-safe. */
  public static final class TableChangesBuilder {
    private final String table;
    private final List<InsertedColumn> insertedColumns = new ArrayList<>();
    private final List<ColumnUpdates> updates = new ArrayList<>();
    private @Nullable RowBits deletedRows;

    private TableChangesBuilder(String table) {
      this.table = table;
    }

    /** Adds the values of the inserted rows in {@code column}. Every column has equally many. */
    public TableChangesBuilder insert(String column, ColumnValues values) {
      insertedColumns.add(new InsertedColumn(column, values));
      return this;
    }

    /** Updates rows of {@code column}: row {@code rowIds[i]} gets value {@code values[i]}. */
    public TableChangesBuilder update(String column, ColumnValues rowIds, ColumnValues values) {
      updates.add(new ColumnUpdates(column, rowIds, values));
      return this;
    }

    /** Sets the rows to delete: a set bit for each, out of the rows that the table had. */
    public TableChangesBuilder delete(RowBits rows) {
      if (deletedRows != null) {
        throw new IllegalArgumentException(
            "the deleted rows of table '%s' are given twice".formatted(table));
      }
      deletedRows = rows;
      return this;
    }

    private TableChanges build() {
      return new TableChanges(table, insertedColumns, deletedRows, updates);
    }
  }
}
