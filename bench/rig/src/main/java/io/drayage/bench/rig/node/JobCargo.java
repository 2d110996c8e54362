package io.drayage.bench.rig.node;

import io.drayage.bench.cargoes.CargoSource;
import io.drayage.bench.cargoes.CargoSources;
import io.drayage.bench.child.StoredCargo;
import io.drayage.transactor.TransactorOptions.InitialTable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cargo of a job.
 *
 * @param notation as users write it
 * @param sizeBytes how large it shall be, if its source has a choice
 * @param seed what its values follow from
 * @param tables what the transactor must hold before it commits the cargo
 * @param stored its file; null if the worker makes its pages on demand
 */
public record JobCargo(
    String notation,
    long sizeBytes,
    long seed,
    List<InitialTable> tables,
    @Nullable StoredCargo stored) {
  public JobCargo {
    tables = List.copyOf(tables);
  }

  CargoSource source() {
    return CargoSources.parse(notation, sizeBytes, seed);
  }
}
