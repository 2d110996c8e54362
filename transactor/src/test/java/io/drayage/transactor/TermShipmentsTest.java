package io.drayage.transactor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.drayage.frame.Fault;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.frame.ShipmentHeader.Pipeline;
import io.drayage.memory.Lease;
import io.drayage.transport.ShipmentHandler;
import io.drayage.transport.ShipmentReplies;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The end of a term, and the shipments that it meets. */
class TermShipmentsTest {
  private static final ShipmentHeader HEADER =
      new ShipmentHeader(new UUID(1, 1), 0, Pipeline.SEGMENTS, 2, 1, "test");

  private final TermShipments shipments = new TermShipments(() -> "t2 is");
  private final List<Fault> aborted = new ArrayList<>();
  private final List<Fault> failed = new ArrayList<>();

  private final ShipmentHandler receiving =
      new ShipmentHandler() {
        @Override
        public void onFrame(Lease frame) {
          frame.close();
        }

        @Override
        public void onAborted(ShipmentException cause) {
          aborted.add(cause.fault());
        }
      };

  private final ShipmentReplies replies =
      new ShipmentReplies() {
        @Override
        public long shipmentId() {
          return 1;
        }

        @Override
        public void held(Seal seal) {}

        @Override
        public void committed(long snapshotTimestamp) {}

        @Override
        public void failed(ShipmentException cause) {
          failed.add(cause.fault());
        }
      };

  @Test
  void endsWhatIsUnderWay() throws Exception {
    shipments.begin((header, answers) -> receiving);
    ShipmentHandler unused = shipments.accept(HEADER, replies);

    shipments.end();
    shipments.end();

    assertThat(aborted).containsExactly(Fault.CANCELLED);
    assertThat(failed).containsExactly(Fault.CANCELLED);
  }

  /** Otherwise the receiver's file, thread and quota would leak. */
  @Test
  void endsWhatIsAcceptedWhileTheTermEnds() throws Exception {
    shipments.begin(
        (header, answers) -> {
          shipments.end();
          return receiving;
        });
    ShipmentHandler unused = shipments.accept(HEADER, replies);

    assertThat(aborted).containsExactly(Fault.CANCELLED);
    assertThat(failed).containsExactly(Fault.CANCELLED);
  }

  @Test
  void leavesAloneWhatIsAnswered() throws Exception {
    List<ShipmentReplies> answering = new ArrayList<>();
    shipments.begin(
        (header, answers) -> {
          answering.add(answers);
          return receiving;
        });
    ShipmentHandler unused = shipments.accept(HEADER, replies);

    answering.get(0).committed(7);
    shipments.end();

    assertThat(aborted).isEmpty();
    assertThat(failed).isEmpty();
  }

  @Test
  void refusesOutsideOfATermAndSaysWhoIsPrimary() {
    assertThatExceptionOfType(ShipmentException.class)
        .isThrownBy(() -> shipments.accept(HEADER, replies))
        .withMessageContaining("t2 is")
        .satisfies(e -> assertThat(e.fault()).isEqualTo(Fault.CANCELLED));
  }
}
