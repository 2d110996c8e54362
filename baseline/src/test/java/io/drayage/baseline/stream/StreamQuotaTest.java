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
import io.drayage.testing.Refusals;
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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Streams share the memory of the receiver with all other cargoes. */
@Timeout(120)
final class StreamQuotaTest {
  private static final int TEXTS = 50_000;
  private static final int NUMBERS = 400_000;

  private final BlockingQueue<CompletableFuture<Long>> commits = new LinkedBlockingQueue<>();
  private final LoopbackTransport transport = new LoopbackTransport();

  /** Memory of the cargo; texts need much more than their raw bytes if they are strings. */
  private static long memoryBytes(Serializer serializer) {
    boolean strings = serializer instanceof StreamSerializer own && own.carriesStrings();
    int textBytes = strings ? MemoryAccount.STRING_BYTES : CargoSize.TEXT_LENGTH_BYTES + 1;
    return (long) TEXTS * textBytes + NUMBERS * (long) Long.BYTES;
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
        .table("texts", table -> table.insert("c", ColumnValues.ofTexts(new String[][] {texts})))
        .table("numbers", table -> table.insert("c", ColumnValues.of(new long[][] {numbers})))
        .build();
  }

  @ParameterizedTest
  @MethodSource("serializers")
  void aSecondStreamIsTurnedAwayWhileTheFirstHoldsTheMemory(Serializer serializer)
      throws Exception {
    long memoryBytes = memoryBytes(serializer);
    ReceiverLimits limits =
        new ReceiverLimits(memoryBytes * 5 / 4, memoryBytes * 3 / 2, 8, AllowedCodecs.INSTALLED);
    try (CargoReceiver receiver = CargoReceiver.builder(cargo -> held(), limits, 1).build();
        TransportServer server =
            transport.listen(
                new InetSocketAddress(0),
                receiver,
                TransportOptions.builder().drainTimeout(Duration.ZERO).build());
        StreamSender sender =
            new StreamSender(
                transport.client(server.address(), TransportOptions.DEFAULT),
                serializer,
                Compressors.ofName("none"),
                "w1")) {
      Waiting.Running<Long> first = Waiting.start(() -> sender.send(cargo(1)).snapshotTimestamp());
      CompletableFuture<Long> commit = commits.take();
      assertThat(ReceiverUse.receivingBytes(receiver))
          .isBetween(memoryBytes, limits.maxCargoBytes());

      Refusals.assertFault(Fault.BUSY, () -> sender.send(cargo(2)))
          .isInstanceOf(ShipmentException.class)
          .hasMessageContaining("no room for");

      commit.complete(7L);
      assertThat(first.get()).isEqualTo(7);
      Waiting.await(() -> ReceiverUse.receivingBytes(receiver) == 0);
    }
  }
}
