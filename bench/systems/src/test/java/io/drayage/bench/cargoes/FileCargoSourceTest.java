package io.drayage.bench.cargoes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnBuilder;
import io.drayage.cargo.ColumnSchema;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RowBits;
import io.drayage.cargo.TableSchema;
import io.drayage.codec.CargoFile;
import io.drayage.database.InitialTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.UUID;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileCargoSourceTest {
  private static final UUID ID = new UUID(1, 2);
  private static final ColumnValues INTS = ColumnValues.of(new int[][] {{1, 2}});

  @TempDir private Path folder;

  @Test
  void loadsTheCargoThatWasWritten() throws IOException {
    ChangeCargo thesis = new ThesisCargo(1_000_000, 42).load();
    CargoSource source = CargoSources.parse(write(thesis).toString(), 0, 0);

    assertThat(CargoDigest.of(source.load())).isEqualTo(CargoDigest.of(thesis));
    assertThat(source.describe()).contains("cargo.drayage");
    assertThat(source.heapBytes()).isEqualTo(new ThesisCargo(1_000_000, 42).rawBytes());
  }

  @Test
  void infersTheTablesOfAGeneratedCargo() throws IOException {
    ThesisCargo thesis = new ThesisCargo(1_000_000, 42);
    FileCargoSource source = FileCargoSource.open(write(thesis.load()));

    for (int t = 0; t < 2; t++) {
      InitialTable inferred = source.baseTables().get(t);
      InitialTable original = thesis.baseTables().get(t);
      assertThat(inferred.schema().columns()).isEqualTo(original.schema().columns());
      assertThat(inferred.rows()).isPositive().isLessThanOrEqualTo(original.rows());
    }
  }

  @Test
  void takesTheTablesThatTheCargoAddsAsTheyAre() throws IOException {
    TableSchema t = TableSchema.of("t", ColumnSchema.nullable("c", ColumnType.INT));
    TableSchema empty = TableSchema.of("empty", ColumnSchema.of("e", ColumnType.BYTE));
    ChangeCargo adding =
        ChangeCargo.builder(ID, 0)
            .newTable(empty)
            .newTable(t)
            .table("t", table -> table.insert("c", INTS))
            .build();

    FileCargoSource source = FileCargoSource.open(write(adding));

    assertThat(source.newTables()).containsExactly(empty, t);
    assertThat(source.baseTables())
        .containsExactlyInAnyOrder(new InitialTable(t, 0), new InitialTable(empty, 0));
    assertThat(source.load().newTables()).containsExactly(empty, t);
  }

  @Test
  void loadsOnSnapshotZeroWhateverTheFileSays() throws IOException {
    ChangeCargo later =
        ChangeCargo.builder(ID, 99).table("t", table -> table.insert("c", INTS)).build();

    FileCargoSource source = FileCargoSource.open(write(later));
    ChangeCargo loaded = source.load();

    assertThat(source.baseSnapshot()).isEqualTo(99);
    assertThat(loaded.baseSnapshot()).isZero();
    assertThat(loaded.transactionId()).isEqualTo(ID);
  }

  @Test
  void needsTheRowsOfUpdatesAndDeletesAndNoneForInserts() throws IOException {
    assertThat(rowCount(table -> table.update("c", rowIds(70, 3), INTS))).isEqualTo(71);
    assertThat(rowCount(table -> table.delete(new RowBits(100)).update("c", rowIds(3, 70), INTS)))
        .isEqualTo(100);
    assertThat(rowCount(table -> table.insert("c", INTS))).isZero();
  }

  @Test
  void aTableOfWhichOnlyRowsAreDeletedHasAColumn() throws IOException {
    assertThat(base(table -> table.delete(new RowBits(10))).schema().columns()).hasSize(1);
  }

  @Test
  void aColumnIsNullableIfAnInsertedOrUpdatedValueIsNull() throws IOException {
    ColumnValues nullInt = new ColumnBuilder(ColumnType.INT).addInt(1).addNull().build();
    ColumnValues nullText = new ColumnBuilder(ColumnType.STRING).addString("a").addNull().build();
    ColumnValues text = ColumnValues.ofTexts(new String[][] {{"a", "b"}});

    InitialTable base =
        base(
            table ->
                table
                    .insert("by_update", INTS)
                    .insert("by_insert", nullText)
                    .insert("never", text)
                    .update("by_update", rowIds(0, 1), nullInt)
                    .update("never", rowIds(0, 1), text));

    assertThat(base.schema().columns())
        .containsExactly(
            new ColumnSchema("by_update", ColumnType.INT, true),
            new ColumnSchema("by_insert", ColumnType.STRING, true),
            new ColumnSchema("never", ColumnType.STRING, false));
  }

  @Test
  void refusesChangesThatNoTableCanTake() {
    assertThatThrownBy(
            () -> base(table -> table.insert("c", INTS).update("other", rowIds(0, 1), INTS)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'t'")
        .hasMessageContaining("'other'");
    ColumnValues bytes = ColumnValues.of(new byte[][] {{1, 2}});
    assertThatThrownBy(
            () -> base(table -> table.insert("c", INTS).update("c", rowIds(0, 1), bytes)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("INT")
        .hasMessageContaining("BYTE");
  }

  @Test
  void refusesAFileThatIsNoCargoInOneLine() throws IOException {
    Path file = Files.writeString(folder.resolve("notes.txt"), "no cargo");

    assertThatThrownBy(() -> CargoSources.parse(file.toString(), 0, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("notes.txt")
        .hasMessageNotContaining("\n");
  }

  private InitialTable base(Consumer<ChangeCargo.TableChangesBuilder> changes) throws IOException {
    ChangeCargo cargo = ChangeCargo.builder(ID, 0).table("t", changes).build();
    return FileCargoSource.open(write(cargo)).baseTables().get(0);
  }

  private long rowCount(Consumer<ChangeCargo.TableChangesBuilder> changes) throws IOException {
    return base(changes).rows();
  }

  private Path write(ChangeCargo cargo) throws IOException {
    Path file = folder.resolve("cargo.drayage");
    CargoFile.write(cargo, file);
    return file;
  }

  private static ColumnValues rowIds(long... ids) {
    return ColumnValues.of(new long[][] {Arrays.copyOf(ids, ids.length)});
  }
}
