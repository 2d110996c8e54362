package io.drayage.receive;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.TextPage;
import io.drayage.codec.pool.CodecPool;
import io.drayage.send.SegmentsSender;
import io.drayage.testing.CargoBytes;
import io.drayage.testing.DigestingReceiver;
import io.drayage.transport.LoopbackTransport;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.UUID;

/** Ships a cargo that is larger than the heap of this JVM, which holds both ends. */
final class SmallHeapMain {
  private static final int ROWS_PER_PAGE = ColumnValues.DEFAULT_ROWS_PER_PAGE;
  private static final int TEXT_PAGES = 8;
  private static final TransportOptions OPTIONS =
      TransportOptions.builder().receiverBytes(5 << 20, 5 << 20).build();

  private SmallHeapMain() {}

  /**
   * Ships it.
   *
   * @param args the megabytes of the cargo
   */
  public static void main(String[] args) throws Exception {
    ChangeCargo cargo = cargo(Integer.parseInt(args[0]));
    if (digestOfShipped(cargo) != CargoDigest.of(cargo)) {
      throw new AssertionError("another digest");
    }
    System.out.println("shipped");
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

  private static TextPage texts(int page) {
    String[] values = new String[ROWS_PER_PAGE];
    Arrays.setAll(values, row -> "text " + page + " " + row);
    return TextPage.of(values);
  }

  private static long digestOfShipped(ChangeCargo cargo) throws IOException, InterruptedException {
    LoopbackTransport transport = new LoopbackTransport();
    try (DigestingReceiver receiver = new DigestingReceiver();
        TransportServer server = transport.listen(new InetSocketAddress(0), receiver, OPTIONS);
        CodecPool pool = new CodecPool(2, "encode");
        SegmentsSender sender =
            CargoBytes.sender(transport.client(server.address(), OPTIONS), pool)) {
      sender.send(cargo);
      return receiver.digest();
    }
  }
}
