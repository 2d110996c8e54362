package io.drayage.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.memory.Lease;
import io.drayage.receive.CargoReceiver;
import io.drayage.testing.CargoBytes;
import io.drayage.testing.Ends;
import io.drayage.transport.ForwardingHandler;
import io.drayage.transport.ShipmentHandler;
import io.drayage.transport.ShipmentReplies;
import io.drayage.transport.TransportOptions;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The threads that encode and decode: those of the connections if the codec is cheap. */
@Timeout(180)
class RunToCompletionTest {
  private static final int PAGES = 128;
  private static final int ROWS = 1 << 20;

  private final Set<String> encoding = ConcurrentHashMap.newKeySet();
  private final Set<String> decoding = ConcurrentHashMap.newKeySet();
  private final Set<Long> committed = ConcurrentHashMap.newKeySet();

  private ChangeCargo cargo(int pages, int rowsPerPage) {
    ColumnValues values =
        ColumnValues.onDemand(
            ColumnType.LONG,
            (long) pages * rowsPerPage,
            rowsPerPage,
            page -> {
              encoding.add(kind(Thread.currentThread()));
              long[] rows = new long[rowsPerPage];
              for (int r = 0; r < rows.length; r++) {
                rows[r] = page * 31L + r;
              }
              return rows;
            });
    return CargoBytes.cargoOf(values);
  }

  /** Returns {@code netty-send} for {@code netty-send-3-1}. */
  private static String kind(Thread thread) {
    return thread.getName().replaceAll("[-0-9]+$", "");
  }

  @ParameterizedTest
  @CsvSource({"none, netty-send, netty-receive", "lz4, encode, ''"})
  void cheapCodecRunsOnTheThreadsOfTheConnections(String compressor, String encodes, String decodes)
      throws Exception {
    ship(cargo(PAGES, ColumnValues.DEFAULT_ROWS_PER_PAGE), "raw", compressor);
    assertThat(encoding).containsExactly(encodes);
    assertThat(String.join(" ", decoding)).isEqualTo(decodes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "lz4"})
  void onlyFrameOfASmallCargoIsEncodedByItsSender(String compressor) throws Exception {
    ship(cargo(2, 1 << 10), "raw", compressor);
    assertThat(encoding).containsExactly(kind(Thread.currentThread()));
  }

  @Test
  void whatColumnarLeavesAsItIsRunsThereAsWell() throws Exception {
    long[] noise = new Random(1).longs(ROWS).toArray();
    ship(ofColumns(new long[ROWS]), "columnar", "none");
    assertThat(decoding).isEmpty();
    ship(ofColumns(noise), "columnar", "none");
    assertThat(decoding).containsExactly("netty-receive");
    decoding.clear();
    ship(ofColumns(new long[ROWS], noise), "columnar", "none");
    assertThat(decoding).containsExactly("netty-receive");
  }

  private static ChangeCargo ofColumns(long[]... columns) {
    return ChangeCargo.builder(new UUID(1, 2), 0)
        .table(
            "t",
            table -> {
              for (int c = 0; c < columns.length; c++) {
                table.insert("c" + c, ColumnValues.of(new long[][] {columns[c]}));
              }
            })
        .build();
  }

  private void ship(ChangeCargo cargo, String serializer, String compressor) throws Exception {
    long digest = CargoDigest.of(cargo);
    encoding.clear();
    committed.clear();
    TransportOptions options = TransportOptions.builder().connections(2).build();
    try (Ends ends = new Ends(NettyTransport.best(), options)) {
      CargoReceiver receiver =
          ends.receive(
              received -> {
                committed.add(CargoDigest.of(received));
                return 1;
              });
      ends.listen((header, replies) -> accept(receiver, header, replies));
      assertThat(ends.sender(serializer, compressor).send(cargo).snapshotTimestamp()).isEqualTo(1);
    }
    assertThat(committed).containsExactly(digest);
  }

  private ShipmentHandler accept(
      CargoReceiver receiver, ShipmentHeader header, ShipmentReplies replies)
      throws ShipmentException {
    return new ForwardingHandler(receiver.accept(header, replies)) {
      @Override
      public void onSegment(Lease frame) {
        decoding.add(kind(Thread.currentThread()));
        super.onSegment(frame);
      }
    };
  }
}
