package io.drayage.bench.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.drayage.bench.cargoes.SmallTpchCargo;
import io.drayage.bench.cargoes.ThesisCargo;
import io.drayage.bench.child.StoredCargo;
import io.drayage.bench.rig.node.CargoSpec;
import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.TableChanges;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("ci")
final class CargoFilesTest {
  @TempDir private Path folder;

  private static CargoSpec thesis(long sizeBytes) {
    return new CargoSpec("thesis", sizeBytes, sizeBytes, 1);
  }

  @Test
  void writesACargoOnceAndReadsItAsItWas() throws IOException {
    CargoFiles files = new CargoFiles(folder);
    StoredCargo stored = stored(files, thesis(100_000));
    ChangeCargo made = new ThesisCargo(100_000, 1).load();
    ChangeCargo read = stored.read();
    assertThat(CargoDigest.of(read)).isEqualTo(CargoDigest.of(made));
    assertThat(javaBytes(read)).as("spare room, shared arrays").isEqualTo(javaBytes(made));

    Files.delete(Path.of(stored.file()));
    assertThat(stored(files, thesis(100_000))).isEqualTo(stored);
    assertThat(Path.of(stored.file())).doesNotExist();
  }

  @Test
  void readsRowIdsThatColumnsShareAsOne() throws IOException {
    ChangeCargo made = SmallTpchCargo.get();
    ChangeCargo read =
        stored(
                new CargoFiles(folder),
                new CargoSpec("tpch:sf=0.01", 0, 10_000_000, SmallTpchCargo.SEED))
            .read();
    assertThat(CargoDigest.of(read)).isEqualTo(CargoDigest.of(made));
    for (int table = 0; table < made.tables().size(); table++) {
      assertThat(distinctRowIds(read.tables().get(table)))
          .isEqualTo(distinctRowIds(made.tables().get(table)));
    }
  }

  private static long distinctRowIds(TableChanges table) {
    return table.updates().stream()
        .map(update -> System.identityHashCode(update.rowIds()))
        .distinct()
        .count();
  }

  private static int javaBytes(ChangeCargo cargo) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(cargo);
    }
    return bytes.size();
  }

  private static StoredCargo stored(CargoFiles files, CargoSpec spec) {
    return files.of(spec).stored();
  }

  @Test
  void saysWhyThereIsNoneIfTheyCannotBeWritten() {
    CargoFiles files = new CargoFiles(folder.resolve("gone"));
    assertThat(stored(files, thesis(100_000)).whyNone()).contains("NoSuchFileException");
  }

  @Test
  void saysWhyThereIsNoneIfTheDiskIsFull() throws IOException {
    long freeBytes = Files.getFileStore(folder).getUsableSpace();
    assumeTrue(freeBytes < ThesisCargo.MAX_SIZE_BYTES, "no cargo is larger than this disk");
    StoredCargo stored = stored(new CargoFiles(folder), thesis(ThesisCargo.MAX_SIZE_BYTES));
    assertThat(stored.file()).isNull();
    assertThat(stored.whyNone())
        .startsWith("its cargo cannot be written to a file in " + folder)
        .contains("bytes, only ");
    assertThat(folder).isEmptyDirectory();
    assertThatThrownBy(stored::read).hasMessage(stored.whyNone());
  }
}
