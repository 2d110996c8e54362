package io.drayage.transport.netty;

import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.codec.Compressors;
import io.drayage.codec.Serializers;
import io.drayage.codec.pool.CodecPool;
import io.drayage.frame.ShipmentException;
import io.drayage.receive.CargoReceiver;
import io.drayage.receive.MemoryCommitter;
import io.drayage.receive.ReceiverLimits;
import io.drayage.send.SegmentsSender;
import io.drayage.send.SendOptions;
import io.drayage.transport.Backoff;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Ships a cargo that does not fit into a heap half of which is in use, and then a small one; says
 * how both ended. Waits then to be ended, if it is told to.
 */
final class SmallHeapEndsMain {
  private static final int ROWS_PER_PAGE = ColumnValues.DEFAULT_ROWS_PER_PAGE;
  private static final Duration PATIENCE = Duration.ofSeconds(100);

  /** Half of the heap. */
  @SuppressWarnings("unused") // It is only there.
  private static byte[][] inUse = {};

  private SmallHeapEndsMain() {}

  /**
   * Runs to its end.
   *
   * @param args the serializer; {@code heap} for limits by what is free, {@code none} for limits
   *     that are too high; {@code wait} to wait for the end of the process
   */
  public static void main(String[] args) throws Exception {
    inUse = new byte[(int) (Runtime.getRuntime().maxMemory() >> 19)][256 << 10];
    ReceiverLimits limits =
        args[1].equals("heap")
            ? ReceiverLimits.ofHeap()
            : new ReceiverLimits(1L << 40, 1L << 40, 64);
    MemoryCommitter database = cargo -> 1;
    NettyTransport transport = NettyTransport.best();
    CargoReceiver receiver = new CargoReceiver(database, limits, 2);
    TransportServer server =
        transport.listen(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            receiver,
            TransportOptions.DEFAULT);
    Runtime.getRuntime().addShutdownHook(new Thread(server::close));
    CodecPool pool = new CodecPool(2, "encode");
    SegmentsSender sender =
        new SegmentsSender(
            transport.client(server.address(), TransportOptions.DEFAULT),
            pool,
            Serializers.ofName(args[0]),
            Compressors.ofName("none"),
            "worker");
    long pages = Runtime.getRuntime().maxMemory() / Long.BYTES / ROWS_PER_PAGE;
    say("large: ", outcome(sender, cargo(pages)));
    say("small: ", outcomeInTheEnd(sender));
    if (args[2].equals("wait")) {
      Thread.sleep(PATIENCE.toMillis());
    }
    sender.close();
    server.close();
    receiver.close();
    pool.close();
    System.exit(0);
  }

  @SuppressWarnings("SystemOut")
  private static void say(String what, String outcome) throws InterruptedException {
    boolean unused =
        patiently(
            () -> {
              System.out.println(what + outcome);
              return true;
            });
  }

  /** Tries until there is memory for it. */
  private static <T> T patiently(Supplier<T> action) throws InterruptedException {
    while (true) {
      try {
        return action.get();
      } catch (OutOfMemoryError e) {
        Thread.sleep(100);
      }
    }
  }

  private static ChangeCargo cargo(long pages) {
    ColumnValues values =
        ColumnValues.onDemand(
            ColumnType.LONG,
            pages * ROWS_PER_PAGE,
            ROWS_PER_PAGE,
            page -> {
              long[] rows = new long[ROWS_PER_PAGE];
              rows[0] = page;
              return rows;
            });
    return ChangeCargo.builder(UUID.randomUUID(), 0)
        .table("t", table -> table.insert("c", values))
        .build();
  }

  /** The memory of the large one is free when its transactor has learned of its end. */
  private static String outcomeInTheEnd(SegmentsSender sender) throws InterruptedException {
    Backoff pauses = new Backoff(PATIENCE);
    String outcome = outcome(sender, cargo(1));
    while (!outcome.startsWith("committed") && pauses.pause()) {
      outcome = outcome(sender, cargo(1));
    }
    return outcome;
  }

  private static String outcome(SegmentsSender sender, ChangeCargo cargo)
      throws InterruptedException {
    try {
      return "committed " + sender.send(cargo, SendOptions.DEFAULT.within(PATIENCE)).frames();
    } catch (ShipmentException e) {
      return patiently(() -> e.fault() + " " + e.getMessage());
    } catch (OutOfMemoryError e) {
      return "INTERNAL to the thread that sends"; // It found no memory itself.
    }
  }
}
