package io.drayage.store;

import static io.drayage.testing.Refusals.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.drayage.cargo.AppliedDigest;
import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.database.KnownTransactions;
import io.drayage.frame.Fault;
import io.drayage.frame.OnConflict;
import io.drayage.frame.ShipmentException;
import io.drayage.store.column.StoredTable;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Tests cargoes that were made on an older snapshot than the newest. */
class RebaseTest extends StoreFixture {
  RebaseTest() {
    super(SALES);
  }

  @Test
  void refusesCellsThatSomebodyElseUpdated() throws ShipmentException {
    commit(
        edit -> {
          for (int row = 1; row < 9; row++) {
            edit.update("sales", "price", row, row);
          }
        });

    assertConflict(
        edit -> {
          for (int row = 0; row < 8; row++) {
            edit.update("sales", "price", row, -1);
          }
        },
        "table 'sales', column 'price': 7 rows (1, 2, 3, 4, 5 ...) to be updated were updated by"
            + " others since snapshot 0");
    assertThat(store.snapshot().timestamp()).isEqualTo(1);
    assertThat(store.snapshot().table("sales").get("price", 1)).isEqualTo(1);
  }

  @Test
  void refusesUpdatesOfRowsThatSomebodyElseDeleted() throws ShipmentException {
    commit(edit -> edit.delete("sales", 5));

    assertConflict(
        edit -> edit.update("sales", "note", 5, "x"),
        "table 'sales', column 'note': 1 row (5) to be updated were deleted by others");
  }

  @Test
  void refusesDeletesOfRowsThatSomebodyElseChanged() throws ShipmentException {
    commit(edit -> edit.update("sales", "note", 5, "x"));
    commit(edit -> edit.delete("sales", 6));

    assertConflict(
        edit -> edit.delete("sales", 5),
        "table 'sales', column 'note': 1 row (5) to be deleted were updated by others");
    assertConflict(
        edit -> edit.delete("sales", 6),
        "table 'sales', column '*': 1 row (6) to be deleted were deleted by others");
  }

  @Test
  void overwritesIfItIsTold() throws ShipmentException {
    commit(
        edit -> {
          edit.update("sales", "price", 1, 1);
          edit.delete("sales", 2);
          edit.delete("sales", 3);
          edit.update("sales", "price", 4, 4);
        });
    ChangeCargo cargo =
        cargo(
            edit -> {
              edit.update("sales", "price", 1, -1);
              edit.update("sales", "price", 2, -2);
              edit.delete("sales", 3);
              edit.delete("sales", 4);
            });

    store.commit(cargo, OnConflict.OVERWRITE);

    StoredTable sales = store.snapshot().table("sales");
    assertThat(sales.get("price", 1)).isEqualTo(-1);
    assertThat(sales.isDeleted(2)).isTrue();
    assertThat(sales.isDeleted(3)).isTrue();
    assertThat(sales.isDeleted(4)).isTrue();
    assertThat(sales.liveRowCount()).isEqualTo(7);
    assertThat(store.lastApplied().digest()).isEqualTo(CargoDigest.of(cargo));
  }

  @Test
  void refusesRowsThatTheBaseDidNotHave() throws ShipmentException {
    commit(edit -> edit.insert("sales", Map.of("price", 1)));
    ChangeCargo unseen =
        ChangeCargo.builder(UUID.randomUUID(), base.timestamp())
            .table(
                "sales",
                sales -> sales.update("price", Columns.rows(10), Columns.of(ColumnType.INT, 3)))
            .build();

    assertRejected(unseen, OnConflict.OVERWRITE, Fault.REJECTED, "row 10 is outside");
    assertRejected(unseen, OnConflict.REJECT, Fault.REJECTED, "row 10 is outside");
  }

  @Test
  void refusesRowsThatWereDeletedInTheBase() throws ShipmentException {
    commit(edit -> edit.delete("sales", 5));
    base = store.snapshot();
    commit(edit -> edit.update("sales", "price", 1, 1));
    ChangeCargo update =
        ChangeCargo.builder(UUID.randomUUID(), base.timestamp())
            .table(
                "sales",
                sales -> sales.update("price", Columns.rows(5), Columns.of(ColumnType.INT, 3)))
            .build();
    ChangeCargo delete =
        ChangeCargo.builder(UUID.randomUUID(), base.timestamp())
            .table("sales", sales -> sales.delete(Columns.bits(10, 5)))
            .build();

    assertRejected(update, OnConflict.OVERWRITE, Fault.REJECTED, "row 5 is updated, but");
    assertRejected(delete, OnConflict.OVERWRITE, Fault.REJECTED, "row 5 cannot be deleted");
  }

  @Test
  void refusesBasesThatAreTooOldOrNotThereYet() throws ShipmentException {
    MemoryStore forgetful =
        new MemoryStore(base, KnownTransactions.NONE, ForkJoinPool.commonPool(), 2, 2_000);
    for (int i = 0; i < 10; i++) {
      Transaction edit = Transaction.on(forgetful.snapshot());
      edit.update("sales", "price", 1, i);
      forgetful.commit(edit.toCargo());
    }
    Transaction old = Transaction.on(base);
    old.update("sales", "price", 2, 1);

    assertThat(forgetful.oldestBase()).isBetween(5L, 9L);
    assertThatExceptionOfType(ShipmentException.class)
        .isThrownBy(() -> forgetful.commit(old.toCargo()))
        .withMessageContaining("base snapshot 0 is too old")
        .withMessageContaining("since snapshot " + forgetful.oldestBase())
        .satisfies(e -> assertThat(e.fault()).isEqualTo(Fault.CONFLICT));
    ChangeCargo ahead = ChangeCargo.builder(UUID.randomUUID(), 11).build();
    assertThatExceptionOfType(ShipmentException.class)
        .isThrownBy(() -> forgetful.commit(ahead))
        .withMessageContaining("base snapshot 11 does not exist yet: the current snapshot is 10");
  }

  @Test
  void replaysInOrderOnlyAndNothingElseThanWasApplied() throws Exception {
    MemoryStore copy =
        new MemoryStore(base, KnownTransactions.NONE, ForkJoinPool.commonPool(), 2, 1 << 20);
    ChangeCargo first = cargo(edit -> edit.update("sales", "price", 1, 1));
    ChangeCargo second = cargo(edit -> edit.update("sales", "price", 1, 2));

    assertThatExceptionOfType(ShipmentException.class)
        .isThrownBy(() -> Replays.replay(copy, second, 2, null))
        .withMessageContaining("snapshot 2 cannot be applied to snapshot 0: 1 is next");
    Replays.replay(copy, first, 1, null);
    assertThatExceptionOfType(AppliedDiffersException.class)
        .isThrownBy(() -> Replays.replay(copy, second, 2, AppliedDigest.of(second) + 1))
        .withMessageStartingWith("snapshot 2 is applied differently here: its changes have digest");
    assertThat(copy.snapshot().timestamp()).isEqualTo(1);
    assertThat(copy.timestampOf(second.transactionId())).isEmpty();
    Replays.replay(copy, second, 2, AppliedDigest.of(second));

    assertThat(copy.snapshot().table("sales").get("price", 1)).isEqualTo(2);
    assertThat(copy.timestampOf(second.transactionId())).hasValue(2);
  }

  private void commit(Consumer<Transaction> edits) throws ShipmentException {
    store.commit(cargo(edits));
  }

  private void assertConflict(Consumer<Transaction> edits, String message) {
    assertRejected(cargo(edits), OnConflict.REJECT, Fault.CONFLICT, message);
  }

  private void assertRejected(
      ChangeCargo cargo, OnConflict onConflict, Fault fault, String message) {
    StoreSnapshot before = store.snapshot();
    assertFails(() -> store.commit(cargo, onConflict), fault, message);
    assertThat(store.snapshot()).isSameAs(before);
  }
}
