package io.drayage.bench.cargoes;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.TypesTable;
import io.drayage.codec.CargoFile;
import io.drayage.database.InitialTable;
import io.drayage.store.MemoryStore;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commits a source's cargo to a store with its base tables. */
@Tag("ci")
class CommittableCargoTest {
  private static final long SEED = 42;

  @Test
  void aStoreCommitsTheThesisCargo() throws Exception {
    ThesisCargo source = new ThesisCargo(12_000_000, SEED);
    assertCommits(source, source.load());
  }

  @Test
  void aStoreCommitsTheTpchCargo() throws Exception {
    assertCommits(SmallTpchCargo.SOURCE, SmallTpchCargo.get());
  }

  /** A node starts with the tables of an import, and then commits the import. */
  @Test
  void aStoreCommitsACargoThatSaysWhatColumnsAre(@TempDir Path folder) throws Exception {
    TypesTable.Rows types = new TypesTable.Rows();
    types.add("sales", "day", "DATE");
    ChangeCargo.Builder cargo =
        ChangeCargo.builder(new UUID(1, 2), 0)
            .table("sales", sales -> sales.insert("day", ColumnValues.of(new int[][] {{5}})));
    types.insertInto(cargo);
    Path file = folder.resolve("sales.cargo");
    CargoFile.write(cargo.build(), file);

    CargoSource source = FileCargoSource.open(file);

    assertThat(source.baseTables())
        .extracting(InitialTable::types)
        .containsExactly(Map.of("day", "DATE"), Map.of());
    assertCommits(source, source.load());
  }

  private static void assertCommits(CargoSource source, ChangeCargo cargo) throws Exception {
    MemoryStore store = new MemoryStore();
    store.createTables(source.baseTables());

    assertThat(store.commit(cargo)).isPositive();
  }
}
