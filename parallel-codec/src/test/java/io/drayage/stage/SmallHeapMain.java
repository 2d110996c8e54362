package io.drayage.stage;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.codec.Compressors;
import io.drayage.codec.Serializers;
import io.drayage.pipeline.CargoCommitter;
import io.drayage.pipeline.CargoReceiver;
import io.drayage.pipeline.CodecPool;
import io.drayage.pipeline.ReceiverLimits;
import io.drayage.pipeline.segments.SegmentsSender;
import io.drayage.transport.LoopbackTransport;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;

/** Ships a cargo that is larger than the heap of this JVM, which holds both ends. */
final class SmallHeapMain {
  private static final int ROWS_PER_PAGE = ColumnValues.DEFAULT_ROWS_PER_PAGE;
  private static final int TEXT_PAGES = 8;
  private static final TransportOptions OPTIONS =
      TransportOptions.DEFAULT.withReceiverBytes(5 << 20, 5 << 20);

  private SmallHeapMain() {}

  /**
   * Ships it.
   *
   * @param args the megabytes of the cargo, and the folder of the stage, or none
   */
  public static void main(String[] args) throws Exception {
    ChangeCargo cargo = cargo(Integer.parseInt(args[0]));
    CargoStage stage =
        args.length == 1
            ? CargoStage.discarding(1L << 40)
            : DiskStage.open(Path.of(args[1]), 1L << 40);
    try (stage) {
      StagedCargo staged = ship(cargo, stage);
      if (staged.digest() != CargoDigest.of(cargo)) {
        throw new AssertionError("another digest");
      }
      System.out.println("staged " + staged.manifest().rawBytes());
    }
  }

  private static ChangeCargo cargo(int megabytes) {
    int pages = megabytes * 2;
    long rows = (long) pages * ROWS_PER_PAGE;
    return ChangeCargo.builder(new UUID(1, 2), 3)
        .table(
            "t",
            table ->
                table.insert(
                    "longs",
                    ColumnValues.onDemand(
                        ColumnType.LONG, rows, ROWS_PER_PAGE, SmallHeapMain::longs)))
        .table(
            "u",
            table ->
                table.insert(
                    "texts",
                    ColumnValues.onDemand(
                        ColumnType.STRING,
                        (long) TEXT_PAGES * ROWS_PER_PAGE,
                        ROWS_PER_PAGE,
                        SmallHeapMain::texts)))
        .build();
  }

  private static long[] longs(int page) {
    long[] values = new long[ROWS_PER_PAGE];
    Arrays.setAll(values, row -> page * 31L + row);
    return values;
  }

  private static String[] texts(int page) {
    String[] values = new String[ROWS_PER_PAGE];
    Arrays.setAll(values, row -> "text " + page + " " + row);
    return values;
  }

  private static StagedCargo ship(ChangeCargo cargo, CargoStage stage)
      throws IOException, InterruptedException {
    LoopbackTransport transport = new LoopbackTransport();
    AtomicReference<StagedCargo> staged = new AtomicReference<>();
    try (CargoReceiver receiver =
            new CargoReceiver(committer(staged), new ReceiverLimits(1, 1, 1), 2, stage);
        TransportServer server = transport.listen(new InetSocketAddress(0), receiver, OPTIONS);
        CodecPool pool = new CodecPool(2, "encode");
        SegmentsSender sender =
            new SegmentsSender(
                transport.client(server.address(), OPTIONS),
                pool,
                Serializers.ofName("raw"),
                Compressors.ofName("none"),
                "worker")) {
      sender.send(cargo);
    }
    return staged.get();
  }

  private static CargoCommitter committer(AtomicReference<StagedCargo> staged) {
    return new CargoCommitter() {
      @Override
      public long commit(ChangeCargo cargo) {
        throw new AssertionError("should have been staged");
      }

      @Override
      public long commitStaged(StagedCargo cargo) {
        staged.set(cargo);
        return 1;
      }
    };
  }
}
