package io.drayage.bench.cargoes;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.TableSchema;
import io.drayage.database.InitialTable;
import java.nio.file.Path;
import java.util.List;

/**
 * Makes one cargo for a measurement, and knows the database that it changes.
 *
 * <p>Immutable; {@link #load()} may be called more than once and then gives equal cargoes, each in
 * memory of its own.
 */
public interface CargoSource {
  /** What the cargo is, in one line for a report. */
  String describe();

  /** The files that it is made of; none if it is generated. */
  default List<Path> files() {
    return List.of();
  }

  /** The snapshot on which it was made; 0 if it goes with any. {@link #load} does not carry it. */
  default long baseSnapshot() {
    return 0;
  }

  /** The tables that the transactor must hold before it commits the cargo. Costs little. */
  List<InitialTable> baseTables();

  /** The tables that the cargo itself adds to a database that lacks them. */
  default List<TableSchema> newTables() {
    return List.of();
  }

  /**
   * About how much heap the cargo takes, in the worker as in the transactor, whichever system
   * carries it: with each text as a string.
   */
  long heapBytes();

  /** About how much more heap {@link #load} needs, and may keep for good. */
  default long loadingHeapBytes() {
    return 0;
  }

  /**
   * Makes the cargo, based on snapshot 0. Its transaction id follows from what the cargo is, so
   * that a commit that is retried is known again.
   *
   * @throws IllegalStateException if this JVM's heap is too small for it, naming both sizes
   */
  ChangeCargo load();

  /**
   * The cargo of {@link #load}, whose pages are made when they are asked for, and not kept, if the
   * source can do that.
   */
  default ChangeCargo onDemand() {
    return load();
  }
}
