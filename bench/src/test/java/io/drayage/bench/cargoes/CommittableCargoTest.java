package io.drayage.bench.cargoes;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.codec.CargoFile;
import io.drayage.store.MemoryStore;
import io.drayage.transactor.TransactorOptions.InitialTable;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A store with a source's base tables takes its cargo. */
class CommittableCargoTest {
  private static final long SEED = 42;

  @Test
  void aStoreCommitsTheThesisCargo() throws Exception {
    assertCommits(new ThesisCargo(12_000_000, SEED));
  }

  @Test
  void aStoreCommitsTheTpchCargo() throws Exception {
    assertCommits(new TpchCargo(TpchCargo.MIN_SCALE_FACTOR, SEED));
  }

  @Test
  void aStoreCommitsACargoFromAFile(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("tpch.cargo");
    CargoFile.write(new TpchCargo(TpchCargo.MIN_SCALE_FACTOR, SEED).load(), file);

    assertCommits(FileCargoSource.open(file));
  }

  private static void assertCommits(CargoSource source) throws Exception {
    MemoryStore store = new MemoryStore();
    for (InitialTable table : source.baseTables()) {
      store.createTable(table.schema(), table.rows());
    }

    assertThat(store.commit(source.load())).isPositive();
  }
}
