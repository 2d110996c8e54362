package io.drayage.baseline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.baseline.stream.StreamSender;
import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.RandomCargo;
import io.drayage.codec.CodecPair;
import io.drayage.codec.Compressor;
import io.drayage.codec.Serializer;
import io.drayage.codec.pool.CodecPool;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader.Pipeline;
import io.drayage.receive.AllowedCodecs;
import io.drayage.receive.CargoReceiver;
import io.drayage.receive.MemoryCommitter;
import io.drayage.receive.ReceiverLimits;
import io.drayage.send.CargoSender;
import io.drayage.send.SegmentsSender;
import io.drayage.send.SendReport;
import io.drayage.transport.TransportClient;
import io.drayage.transport.TransportFixture;
import io.drayage.transport.TransportServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of both pipelines over every transport; inherited by the tests of each. */
public abstract class PipelinesBattery extends TransportFixture {
  private static final CodecPair JAVA = CodecPair.of("java", "none");
  private static final ReceiverLimits LIMITS =
      new ReceiverLimits(256 << 20, 1 << 30, 8, AllowedCodecs.INSTALLED);

  private final BlockingQueue<Long> digests = new LinkedBlockingQueue<>();

  @ParameterizedTest
  @EnumSource
  void cargoArrivesAsItWasSent(Pipeline pipeline) throws Exception {
    List<CodecPair> large = List.of(CodecPair.of("java", "none"), CodecPair.of("raw", "none"));
    assertArrive(pipeline, large, RandomCargo.of(11, 40_000));
  }

  @ParameterizedTest
  @EnumSource
  @Tag("nightly")
  protected void everyCodecsCargoArrives(Pipeline pipeline) throws Exception {
    List<CodecPair> pairs = new ArrayList<>(CodecPair.eachCodec());
    pairs.add(CodecPair.of("kryo", "lz4"));
    pairs.add(CodecPair.of("java", "zstd"));
    assertArrive(pipeline, pairs, RandomCargo.of(14, 3_000));
  }

  private void assertArrive(Pipeline pipeline, List<CodecPair> pairs, ChangeCargo cargo)
      throws Exception {
    TransportServer server = receiver(this::take);
    for (CodecPair pair : pairs) {
      try (CargoSender sender = sender(pipeline, pair, server)) {
        SendReport report = sender.send(cargo);

        assertThat(digests.take())
            .as("%s, seed %d", pair, cargo.baseSnapshot())
            .isEqualTo(CargoDigest.of(cargo));
        assertThat(report.snapshotTimestamp()).isEqualTo(cargo.baseSnapshot() + 1);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void emptyCargoArrives(Pipeline pipeline) throws Exception {
    ChangeCargo cargo = RandomCargo.of(12, 0);
    TransportServer server = receiver(this::take);
    try (CargoSender sender = sender(pipeline, JAVA, server)) {
      sender.send(cargo);

      assertThat(digests.take()).isEqualTo(CargoDigest.of(cargo));
    }
  }

  @ParameterizedTest
  @EnumSource
  void rejectedCommitReachesTheWorkerByName(Pipeline pipeline) throws Exception {
    TransportServer server =
        receiver(
            cargo -> {
              throw new ShipmentException(Fault.REJECTED, "no table 'wide'");
            });
    try (CargoSender sender = sender(pipeline, JAVA, server)) {
      assertThatThrownBy(() -> sender.send(RandomCargo.of(13, 100)))
          .isInstanceOfSatisfying(
              ShipmentException.class,
              failure -> assertFault(failure, Fault.REJECTED, "no table 'wide'"));
    }
  }

  @Test
  void bothPipelinesShareOneServer() throws Exception {
    TransportServer server = receiver(this::take);
    ExecutorService workers = Executors.newFixedThreadPool(4);
    List<Callable<Long>> calls = new ArrayList<>();
    for (int worker = 0; worker < 4; worker++) {
      ChangeCargo cargo = RandomCargo.of(20 + worker, 10_000);
      Pipeline pipeline = worker % 2 == 0 ? Pipeline.STREAM : Pipeline.SEGMENTS;
      calls.add(
          () -> {
            try (CargoSender sender = sender(pipeline, JAVA, server)) {
              sender.send(cargo);
              return CargoDigest.of(cargo);
            }
          });
    }
    List<Long> sent = new ArrayList<>();
    for (Future<Long> digest : workers.invokeAll(calls)) {
      sent.add(digest.get());
    }
    workers.shutdown();
    assertThat(digests).containsExactlyInAnyOrderElementsOf(sent);
  }

  private long take(ChangeCargo cargo) {
    digests.add(CargoDigest.of(cargo));
    return cargo.baseSnapshot() + 1;
  }

  private TransportServer receiver(MemoryCommitter committer) throws ShipmentException {
    // The same cargo is sent again and again.
    CargoReceiver receiver = CargoReceiver.builder(committer, LIMITS, 2).withoutLedger().build();
    return listen(closedAfterwards(receiver), OPTIONS);
  }

  private CargoSender sender(Pipeline pipeline, CodecPair pair, TransportServer server) {
    TransportClient client = clientOf(server);
    Serializer serializer = pair.serializer();
    Compressor compressor = pair.compressor();
    return switch (pipeline) {
      case STREAM -> new StreamSender(client, serializer, compressor, "worker");
      case SEGMENTS ->
          new SegmentsSender(
              client,
              closedAfterwards(new CodecPool(2, "encode")),
              serializer,
              compressor,
              "worker");
    };
  }
}
