package io.drayage.bench.rig.node;

import io.drayage.bench.child.StoredCargo;
import io.drayage.transactor.TransactorOptions.InitialTable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cargo of a job.
 *
 * @param spec what it is
 * @param tables what the transactor must hold before it commits the cargo
 * @param stored its file; null if the worker makes its pages on demand
 */
public record JobCargo(CargoSpec spec, List<InitialTable> tables, @Nullable StoredCargo stored) {
  public JobCargo {
    tables = List.copyOf(tables);
  }
}
