package io.drayage.codec;

import io.drayage.cargo.RandomCargo;
import io.drayage.codec.pool.CodecPool;
import io.drayage.frame.ShipmentException;
import io.drayage.receive.CargoReceiver;
import io.drayage.receive.ReceiverLimits;
import io.drayage.send.SegmentsSender;
import io.drayage.testing.CargoBytes;
import io.drayage.transport.LoopbackTransport;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;

/** Uses Zstandard in every way, where its native library cannot be loaded. */
public final class NativeLibraryMain {
  private static final Compressor ZSTD = Compressors.ofName("zstd");

  /** What a worker has that can load it; its segments did not become smaller. */
  private static final Compressor OF_ANOTHER_MACHINE =
      new Compressor() {
        @Override
        public int id() {
          return ZSTD.id();
        }

        @Override
        public String name() {
          return ZSTD.name();
        }

        @Override
        public int maxRatio() {
          return ZSTD.maxRatio();
        }

        @Override
        public SegmentCompressor newSegmentCompressor() {
          return Compressors.ofName("none").newSegmentCompressor();
        }
      };

  private NativeLibraryMain() {}

  public static void main(String[] args) throws Exception {
    for (int use = 0; use < 2; use++) {
      try (SegmentCompressor made = ZSTD.newSegmentCompressor()) {
        System.out.println("made " + made);
      } catch (UnsupportedOperationException e) {
        System.out.println("use " + use + ": " + e.getMessage());
      }
    }
    ship("worker", ZSTD);
    ship("transactor", OF_ANOTHER_MACHINE);
  }

  private static void ship(String without, Compressor compressor) throws Exception {
    LoopbackTransport transport = new LoopbackTransport();
    ReceiverLimits limits = new ReceiverLimits(64 << 20, 64 << 20, 8);
    try (CargoReceiver receiver =
            CargoReceiver.builder(cargo -> CompletableFuture.completedFuture(1L), limits, 1)
                .build();
        TransportServer server =
            transport.listen(new InetSocketAddress(0), receiver, TransportOptions.DEFAULT);
        CodecPool pool = new CodecPool(1, "encode");
        SegmentsSender sender =
            new SegmentsSender(
                transport.client(server.address(), TransportOptions.DEFAULT),
                pool,
                CargoBytes.RAW,
                compressor,
                "w1")) {
      System.out.println("committed " + sender.send(RandomCargo.of(1, 100)));
    } catch (ShipmentException e) {
      System.out.println("a " + without + " without it: " + e.fault() + ": " + e.getMessage());
    }
  }
}
