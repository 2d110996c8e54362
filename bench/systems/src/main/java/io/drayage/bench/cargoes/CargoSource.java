package io.drayage.bench.cargoes;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.TableSchema;
import io.drayage.database.InitialTable;
import java.nio.file.Path;
import java.util.List;

/**
 * Makes one cargo for a measurement, and knows the database that it changes.
 *
 * <p>Immutable. Each call of {@link #load()} returns an equal cargo in memory of its own.
 */
public interface CargoSource {
  /** Returns a description of the cargo, in one line for a report. */
  String describe();

  /** Returns the files of the cargo; none if it is generated. */
  default List<Path> files() {
    return List.of();
  }

  /** The snapshot on which the cargo was made; 0 for any. {@link #load} does not set it. */
  default long baseSnapshot() {
    return 0;
  }

  /** Returns the tables that the transactor must hold before it commits the cargo. Costs little. */
  List<InitialTable> baseTables();

  /** Returns the tables that the cargo itself adds to a database that lacks them. */
  default List<TableSchema> newTables() {
    return List.of();
  }

  /**
   * Approximate heap of the cargo, in the worker as in the transactor, for any system: with each
   * text as a string.
   */
  long heapBytes();

  /** Approximate additional heap that {@link #load} needs, and may keep forever. */
  default long loadingHeapBytes() {
    return 0;
  }

  /**
   * Makes the cargo, based on snapshot 0. Equal cargoes have equal transaction ids, so that a
   * retried commit is recognized.
   *
   * @throws IllegalStateException if this JVM's heap is too small; the message has both sizes
   */
  ChangeCargo load();

  /**
   * Returns the cargo of {@link #load}. If the source supports it, pages are made at each access,
   * and not kept.
   */
  default ChangeCargo onDemand() {
    return load();
  }
}
