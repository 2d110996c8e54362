package io.drayage.baseline.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
import io.drayage.codec.Compressors;
import io.drayage.codec.Serializer;
import io.drayage.codec.Serializers;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.receive.AllowedCodecs;
import io.drayage.receive.CargoReceiver;
import io.drayage.receive.ReceiverLimits;
import io.drayage.receive.ReceiverUse;
import io.drayage.testing.Faults;
import io.drayage.testing.Waiting;
import io.drayage.transport.LoopbackTransport;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Streams share the memory of the receiver with all other cargoes. */
@Timeout(120)
final class StreamQuotaTest {
  private static final int TEXTS = 50_000;
  private static final int NUMBERS = 400_000;

  /** What the cargo takes: its texts much more than their raw bytes. */
  private static final long MEMORY_BYTES =
      (long) TEXTS * CargoSize.TEXT_MEMORY_BYTES + NUMBERS * (long) Long.BYTES;

  private static final ReceiverLimits LIMITS =
      new ReceiverLimits(MEMORY_BYTES * 5 / 4, MEMORY_BYTES * 3 / 2, 8, AllowedCodecs.INSTALLED);

  private final BlockingQueue<CompletableFuture<Long>> commits = new LinkedBlockingQueue<>();
  private final LoopbackTransport transport = new LoopbackTransport();
  private final CargoReceiver receiver = CargoReceiver.builder(cargo -> held(), LIMITS, 1).build();
  private final TransportServer server =
      transport.listen(
          new InetSocketAddress(0),
          receiver,
          TransportOptions.builder().drainTimeout(Duration.ZERO).build());

  @AfterEach
  void close() {
    server.close();
    receiver.close();
  }

  static Stream<Serializer> serializers() {
    return Serializers.all().stream().filter(StreamQuotaTest::isUsable);
  }

  private static boolean isUsable(Serializer serializer) {
    try {
      serializer.requireUsable();
      return true;
    } catch (UnsupportedOperationException e) {
      return false;
    }
  }

  private CompletableFuture<Long> held() {
    CompletableFuture<Long> answer = new CompletableFuture<>();
    commits.add(answer);
    return answer;
  }

  private static ChangeCargo cargo(long number) {
    String[] texts = new String[TEXTS];
    Arrays.setAll(texts, row -> String.valueOf((char) ('a' + row % 20)));
    long[] numbers = new long[NUMBERS];
    Arrays.setAll(numbers, row -> row * number);
    return ChangeCargo.builder(new UUID(1, number), 1)
        .table("texts", table -> table.insert("c", ColumnValues.of(new String[][] {texts})))
        .table("numbers", table -> table.insert("c", ColumnValues.of(new long[][] {numbers})))
        .build();
  }

  @ParameterizedTest
  @MethodSource("serializers")
  void aSecondStreamIsTurnedAwayWhileTheFirstHoldsTheMemory(Serializer serializer)
      throws Exception {
    try (StreamSender sender =
        new StreamSender(
            transport.client(server.address(), TransportOptions.DEFAULT),
            serializer,
            Compressors.ofName("none"),
            "w1")) {
      Waiting.Running<Long> first = Waiting.start(() -> sender.send(cargo(1)).snapshotTimestamp());
      CompletableFuture<Long> commit = commits.take();
      assertThat(ReceiverUse.receivingBytes(receiver))
          .isBetween(MEMORY_BYTES, LIMITS.maxCargoBytes());

      Faults.assertFault(Fault.BUSY, () -> sender.send(cargo(2)))
          .isInstanceOf(ShipmentException.class)
          .hasMessageContaining("no room for");

      commit.complete(7L);
      assertThat(first.get()).isEqualTo(7);
      Waiting.await(() -> ReceiverUse.receivingBytes(receiver) == 0);
    }
  }
}
