package io.drayage.bench.rig.node;

import io.drayage.bench.child.StoredCargo;
import io.drayage.database.InitialTable;
import java.util.List;

/**
 * The cargo of a job.
 *
 * @param spec of the cargo
 * @param tables that the transactor must hold before it commits the cargo
 * @param stored its file
 */
public record JobCargo(CargoSpec spec, List<InitialTable> tables, StoredCargo stored) {
  public JobCargo {
    tables = List.copyOf(tables);
  }
}
