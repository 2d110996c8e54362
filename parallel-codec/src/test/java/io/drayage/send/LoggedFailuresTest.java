package io.drayage.send;

import static io.drayage.testing.Refusals.assertFault;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RandomCargo;
import io.drayage.frame.Fault;
import io.drayage.metrics.MetricsSnapshot;
import io.drayage.receive.CargoCommitter;
import io.drayage.receive.CargoReceiver;
import io.drayage.receive.ReceiverLimits;
import io.drayage.receive.ShipmentRecording;
import io.drayage.testing.CargoBytes;
import io.drayage.testing.Ends;
import io.drayage.testing.LoggedRecords;
import io.drayage.transport.LoopbackTransport;
import io.drayage.transport.TransportOptions;
import java.io.Serial;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Exceptions of codecs, page sources and committers are logged once with their stack. */
final class LoggedFailuresTest {
  private static final ReceiverLimits LIMITS = new ReceiverLimits(64 << 20, 64 << 20, 8);
  private static final CargoCommitter<ShipmentRecording> TAKING =
      cargo -> CompletableFuture.completedFuture(1L);

  /** Ships one cargo, which fails. */
  private static void ship(
      ChangeCargo cargo, CargoCommitter<ShipmentRecording> committer, Fault fault, String... names)
      throws Exception {
    try (Ends ends = new Ends(new LoopbackTransport(), TransportOptions.DEFAULT)) {
      ends.receive(CargoReceiver.builder(committer, LIMITS, 2).build());
      SegmentsSender sender = ends.sender();
      assertFault(fault, () -> sender.send(cargo)).hasMessageContainingAll(names);
    }
  }

  static Stream<Throwable> thrown() {
    return Stream.of(
        new IllegalStateException("boom"),
        new StackOverflowError("boom"),
        new OutOfMemoryError("boom"),
        new NoClassDefFoundError("boom"),
        new Exception("boom")); // As languages without checked exceptions do.
  }

  @ParameterizedTest
  @MethodSource("thrown")
  void aCommittersAndThatOfItsFutureIsLoggedAtTheTransactor(Throwable boom) throws Exception {
    ChangeCargo cargo = RandomCargo.of(1, 100);
    List<CargoCommitter<ShipmentRecording>> failing =
        List.of(
            received -> {
              throw undeclared(boom);
            },
            received -> CompletableFuture.failedFuture(boom));
    for (CargoCommitter<ShipmentRecording> committer : failing) {
      try (LoggedRecords logged = new LoggedRecords()) {
        ship(cargo, committer, Fault.INTERNAL, "boom", "the transactor's log has the stack");

        assertThat(logged.withStack())
            .singleElement()
            .satisfies(
                each -> {
                  assertThat(each.getThrown()).isSameAs(boom);
                  assertThat(each.getLoggerName()).contains(".receive.");
                  assertThat(each.getMessage())
                      .contains(cargo.transactionId().toString(), "of worker");
                });
      }
    }
  }

  /** Throws {@code boom}, whatever the caller declares. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <T extends Throwable> RuntimeException undeclared(Throwable boom) throws T {
    throw (T) boom;
  }

  @Test
  void aFailureThatCannotSayWhatItIsIsNamedByItsClass() throws Exception {
    final class Mute extends RuntimeException {
      @Serial private static final long serialVersionUID = 1;

      @Override
      public String getMessage() {
        throw new IllegalStateException("not even that");
      }
    }
    try (LoggedRecords logged = new LoggedRecords()) {
      ship(
          RandomCargo.of(1, 100),
          received -> {
            throw new Mute();
          },
          Fault.INTERNAL,
          Mute.class.getName());

      assertThat(logged.withStack()).hasSize(1);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void nullOfACommitterIsNamed(boolean future) throws Exception {
    try (LoggedRecords logged = new LoggedRecords()) {
      ship(
          RandomCargo.of(1, 100),
          received -> future ? null : CompletableFuture.completedFuture(null),
          Fault.INTERNAL,
          "the committer");

      assertThat(logged.withStack()).hasSize(1);
    }
  }

  @ParameterizedTest
  @CsvSource({"LONG, false", "STRING, false", "LONG, true", "STRING, true"})
  void aPageSourcesIsLoggedAtTheWorker(ColumnType type, boolean checked) throws Exception {
    // Texts are made when the cargo is planned.
    ChangeCargo cargo =
        CargoBytes.cargoOf(
            ColumnValues.onDemand(
                type,
                100,
                64,
                page -> {
                  throw undeclared(
                      checked ? new Exception("no page") : new IllegalStateException("no page"));
                }));
    try (LoggedRecords logged = new LoggedRecords()) {
      ship(cargo, TAKING, Fault.INTERNAL, "no page", "the worker's log has the stack");

      assertThat(logged.withStack())
          .singleElement()
          .satisfies(each -> assertThat(each.getThrown()).hasMessage("no page"))
          .satisfies(each -> assertThat(each.getLoggerName()).contains(".send."));
    }
  }

  @Test
  void tooLongATextIsTheCallersMistake() throws Exception {
    try (Ends ends = new Ends(new LoopbackTransport(), TransportOptions.DEFAULT)) {
      ends.receive(CargoReceiver.builder(TAKING, LIMITS, 1).build());
      SegmentsSender sender = ends.sender();
      ChangeCargo cargo =
          ChangeCargo.builder(new UUID(1, 2), 0)
              .table(
                  "notes",
                  table ->
                      table.insert(
                          "text",
                          ColumnValues.ofTexts(new String[][] {{"short", "x".repeat(2 << 20)}})))
              .build();

      assertThatIllegalArgumentException()
          .isThrownBy(() -> sender.send(cargo))
          .withMessageContaining("row 1 of column 'text' of table 'notes'")
          .withMessageContaining("2,097,156 bytes, the limit is 2,097,152");
      MetricsSnapshot counted = sender.metrics().snapshot();
      assertThat(counted.failed()).as("it is counted").isEqualTo(1);
    }
  }
}
