package io.drayage.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
import io.drayage.frame.Fault;
import io.drayage.memory.Lease;
import io.drayage.send.SegmentsSender;
import io.drayage.send.SendOptions;
import io.drayage.testing.CargoBytes;
import io.drayage.testing.Ends;
import io.drayage.testing.Refusals;
import io.drayage.testing.Waiting;
import io.drayage.transport.LoopbackTransport;
import io.drayage.transport.RecordingReplies;
import io.drayage.transport.ShipmentHandler;
import io.drayage.transport.TransportOptions;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Texts of one character: five bytes each, on the wire and in memory. */
@Timeout(60)
final class TextMemoryTest {
  private static final int TEXTS = 100_000;
  private static final long RAW_BYTES = TEXTS * 5L;

  private final BlockingQueue<CompletableFuture<Long>> commits = new LinkedBlockingQueue<>();

  private CompletableFuture<Long> held() {
    CompletableFuture<Long> answer = new CompletableFuture<>();
    commits.add(answer);
    return answer;
  }

  private static ChangeCargo cargo(long number) {
    String[] texts = new String[TEXTS];
    Arrays.fill(texts, "x");
    return CargoBytes.cargoOf(new UUID(1, number), ColumnValues.ofTexts(new String[][] {texts}));
  }

  private interface Use {
    void with(CargoReceiver receiver, SegmentsSender sender) throws Exception;
  }

  private void use(long maxReceivingBytes, Use use) throws Exception {
    ReceiverLimits limits = new ReceiverLimits(RAW_BYTES, maxReceivingBytes, 4);
    try (Ends ends = new Ends(new LoopbackTransport(), TransportOptions.DEFAULT)) {
      CargoReceiver receiver =
          ends.receive(CargoReceiver.builder(cargo -> held(), limits, 1).build());
      use.with(receiver, ends.sender());
    }
  }

  @Test
  void theyCountWithWhatTheyTake() throws Exception {
    use(
        RAW_BYTES * 3 / 2,
        (receiver, sender) -> {
          Waiting.Running<Long> first =
              Waiting.start(() -> sender.send(cargo(1)).snapshotTimestamp());
          CompletableFuture<Long> commit = commits.take();
          assertThat(receiver.receivingBytes()).isEqualTo(RAW_BYTES);

          SendOptions impatient = SendOptions.DEFAULT.withPatience(Duration.ZERO);
          Refusals.assertFault(Fault.BUSY, () -> sender.send(cargo(2), impatient))
              .hasMessage(
                  "no room for %,d bytes now: %,d of %,d are taken by 1 shipment of 'worker'; 1 shipment waits, the first for 0 s (ReceiverLimits.maxReceivingBytes)",
                  RAW_BYTES, RAW_BYTES, RAW_BYTES * 3 / 2);

          commit.complete(7L);
          assertThat(first.get()).isEqualTo(7);
          Waiting.await(() -> receiver.receivingBytes() == 0);
        });
  }

  @Test
  void longerTextsAreNoneThatTheManifestStates() throws Exception {
    String narrow = "x".repeat(1_000);
    String wide = narrow.substring(1) + '\u4e2d';
    List<ByteBuffer> frames = CargoBytes.framesOf(cargoOf(narrow));
    ByteBuffer lie = CargoBytes.framesOf(cargoOf(wide)).get(1);
    RecordingReplies replies = new RecordingReplies(0);
    use(
        RAW_BYTES,
        (receiver, sender) -> {
          ShipmentHandler handler = receiver.accept(CargoBytes.headerOf(cargoOf(narrow)), replies);
          handler.onFrame(new Lease(frames.get(0), () -> {}));
          handler.onFrame(new Lease(lie, () -> {}));

          assertThat(replies.whenFailed().get())
              .hasMessageContaining("brings more text than the 10,040 raw bytes of its part")
              .satisfies(failure -> assertThat(failure.fault()).isEqualTo(Fault.LIMIT));
        });
  }

  private static ChangeCargo cargoOf(String text) {
    String[] texts = new String[10];
    Arrays.fill(texts, text);
    return CargoBytes.cargoOf(ColumnValues.ofTexts(new String[][] {texts}));
  }
}
