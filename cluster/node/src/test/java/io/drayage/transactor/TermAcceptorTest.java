package io.drayage.transactor;

import static io.drayage.testing.Refusals.assertFails;
import static io.drayage.testing.Refusals.assertFault;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ChangeCargo;
import io.drayage.coordination.Maintenance;
import io.drayage.coordination.NodeInfo;
import io.drayage.coordination.PrimaryInfo;
import io.drayage.frame.CommitOptions;
import io.drayage.frame.Fault;
import io.drayage.frame.OnConflict;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.frame.ShipmentHeader.Pipeline;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.receive.CargoReceiver;
import io.drayage.receive.ReceiverLimits;
import io.drayage.receive.ReceiverUse;
import io.drayage.store.MemoryLimit;
import io.drayage.store.MemoryStore;
import io.drayage.testing.ShipmentHeaders;
import io.drayage.transport.RecordingReplies;
import io.drayage.transport.ShipmentHandler;
import io.drayage.transport.ShipmentReplies;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The end of a term, and the shipments at that time. */
class TermAcceptorTest {
  private static final UUID DATABASE = new UUID(3, 4);

  private final MemoryStore store = new MemoryStore();
  private final DrayageMetrics metrics = new DrayageMetrics();
  private final TermAcceptor shipments =
      new TermAcceptor(
          store::timestampOf,
          DATABASE,
          timestamp -> timestamp == 7 ? 77 : 0,
          this::requireStore,
          metrics,
          new NodeEvents());
  private final List<Fault> failed = new ArrayList<>();
  private boolean isFull;

  private final ShipmentReplies replies =
      new RecordingReplies(1) {
        @Override
        public void failed(ShipmentException cause) {
          failed.add(cause.fault());
        }
      };

  private static ShipmentHeader header(long number) {
    return ShipmentHeaders.of(new UUID(1, number), 0, Pipeline.SEGMENTS, 2, 1, "test");
  }

  @Test
  void refusesWhatWasMadeOnAnotherDatabase() throws Exception {
    UUID another = new UUID(5, 6);
    try (CargoReceiver receiver = new CargoReceiver(cargo -> 1, ReceiverLimits.ofHeap(), 1)) {
      shipments.begin(receiver, null);
      assertThat(shipments.accept(header(1, DATABASE), replies)).isNotNull();
      assertThat(shipments.accept(header(2), replies)).isNotNull();

      assertFault(Fault.REFUSED, () -> shipments.accept(header(3, another), replies))
          .hasMessage(
              "the cargo is for database %s, and this transactor has database %s"
                  .formatted(another, DATABASE));
    }
  }

  /** A copy of the database has its id, and may have other snapshots of the same numbers. */
  @Test
  void refusesWhatWasMadeOnAnotherHistory() throws Exception {
    try (CargoReceiver receiver = new CargoReceiver(cargo -> 1, ReceiverLimits.ofHeap(), 1)) {
      shipments.begin(receiver, null);
      assertThat(shipments.accept(header(1, DATABASE, 7, 77), replies)).isNotNull();
      assertThat(shipments.accept(header(2, DATABASE, 7, 0), replies)).isNotNull();
      assertThat(shipments.accept(header(3, DATABASE, 6, 78), replies)).isNotNull();

      assertFails(
          () -> shipments.accept(header(4, DATABASE, 7, 78), replies),
          Fault.REFUSED,
          "another history of database " + DATABASE,
          "snapshot 7",
          "0000004e",
          "0000004d");
    }
  }

  private static ShipmentHeader header(long number, UUID database) {
    return header(number, database, 0, 0);
  }

  private static ShipmentHeader header(long number, UUID database, long base, int checksum) {
    return new ShipmentHeader(
        new UUID(1, number),
        base,
        Pipeline.SEGMENTS,
        2,
        1,
        CommitOptions.DEFAULT.on(database, checksum),
        "test");
  }

  /** Otherwise the receiver's file, thread and quota would leak. */
  @Test
  void endsWhatIsUnderWayAndWhatIsAcceptedWhileTheTermEnds() throws Exception {
    try (CargoReceiver receiver = new CargoReceiver(cargo -> 1, ReceiverLimits.ofHeap(), 1)) {
      shipments.begin(receiver, null);
      ShipmentHandler early = shipments.accept(header(1), replies);

      receiver.refuse(shipments.refusal());
      receiver.refuse(shipments.refusal());
      assertThat(failed).containsExactly(Fault.CANCELLED);

      ShipmentHandler late = shipments.accept(header(2), replies);
      assertThat(failed).containsExactly(Fault.CANCELLED, Fault.CANCELLED);
      assertThat(ReceiverUse.shipmentsUnderWay(receiver)).isZero();
      early.onAborted(shipments.refusal());
      late.onAborted(shipments.refusal());
      assertThat(failed).hasSize(2);
    }
  }

  @Test
  void refusesOutsideOfATermAndSaysWhoIsPrimary() {
    assertFails(
        () -> shipments.accept(header(1), replies), ShipmentException.class, "none is known");
    shipments.elected(new PrimaryInfo(new NodeInfo("t2", "10.0.0.2:7070"), 3));
    assertFails(
        () -> shipments.accept(header(1), replies), Fault.CANCELLED, "t2 at 10.0.0.2:7070 is");
    assertThat(metrics.snapshot().failed(Fault.CANCELLED)).isEqualTo(2);
  }

  /** The first attempt might take effect after the second was refused. */
  @Test
  void acceptsInMaintenanceWhatIsUnderWay() throws Exception {
    try (CargoReceiver receiver = new CargoReceiver(cargo -> 1, ReceiverLimits.ofHeap(), 1)) {
      shipments.begin(receiver, null);
      ShipmentHandler first = shipments.accept(header(1), replies);
      shipments.maintain(Maintenance.NEVER.next(true, "the store moves"));
      ShipmentHandler second = shipments.accept(header(1), replies);

      first.onAborted(shipments.refusal());
      second.onAborted(shipments.refusal());
      assertFault(Fault.REFUSED, () -> shipments.accept(header(1), replies));
    }
  }

  /** An event loop must not wait while a cargo is applied. */
  @Test
  void admitsInMaintenanceWhileACargoIsApplied() throws Exception {
    try (CargoReceiver receiver = new CargoReceiver(cargo -> 1, ReceiverLimits.ofHeap(), 1)) {
      shipments.begin(receiver, null);
      shipments.maintain(Maintenance.NEVER.next(true, "the store moves"));
      Fault fault;
      synchronized (store) { // A commit does the same.
        fault =
            CompletableFuture.supplyAsync(
                    () -> {
                      try {
                        shipments.accept(header(1), replies).onAborted(shipments.refusal());
                        return Fault.CANCELLED;
                      } catch (ShipmentException e) {
                        return e.fault();
                      }
                    })
                .get();
      }
      assertThat(fault).isEqualTo(Fault.REFUSED);
    }
  }

  private void requireStore() throws ShipmentException {
    if (isFull) {
      throw new ShipmentException(Fault.BUSY, "the store cannot be written");
    }
  }

  /** A cargo that cannot be stored need not be sent, as in maintenance. */
  @Test
  void receivesNothingButWhatIsCommittedWhileTheStoreCannotBeWritten() throws Exception {
    ChangeCargo committed = ChangeCargo.builder(new UUID(1, 7), 0).build();
    long unused = store.commit(committed, OnConflict.REJECT, MemoryLimit.NONE, 0);
    try (CargoReceiver receiver = new CargoReceiver(cargo -> 1, ReceiverLimits.ofHeap(), 1)) {
      shipments.begin(receiver, null);
      isFull = true;
      assertFault(Fault.BUSY, () -> shipments.accept(header(1), replies))
          .hasMessage("the store cannot be written");
      assertThat(metrics.snapshot().failed(Fault.BUSY)).isOne();
      shipments.accept(header(7), replies).onAborted(shipments.refusal());

      isFull = false;
      shipments.accept(header(2), replies).onAborted(shipments.refusal());
    }
  }

  /** A worker whose answer was lost must learn that its transaction is committed. */
  @Test
  void refusesInMaintenanceAllButWhatIsCommitted() throws Exception {
    ChangeCargo committed = ChangeCargo.builder(new UUID(1, 7), 0).build();
    long unused = store.commit(committed, OnConflict.REJECT, MemoryLimit.NONE, 0);
    try (CargoReceiver receiver = new CargoReceiver(cargo -> 1, ReceiverLimits.ofHeap(), 1)) {
      shipments.begin(receiver, null);
      Maintenance on = Maintenance.NEVER.next(true, "the store moves");
      shipments.maintain(on);
      shipments.maintain(Maintenance.NEVER);
      assertFault(Fault.REFUSED, () -> shipments.accept(header(1), replies))
          .hasMessage("in maintenance since %s: the store moves", on.since());
      assertThat(metrics.snapshot().failed(Fault.REFUSED)).isOne();
      shipments.accept(header(7), replies).onAborted(shipments.refusal());

      shipments.maintain(on.next(false, "it has moved"));
      shipments.accept(header(2), replies).onAborted(shipments.refusal());
    }
  }
}
