package io.drayage.bench.peers.arrow;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.bench.peer.Peer;
import io.drayage.bench.peer.PeerBattery;
import io.drayage.bench.peer.PeerCodec;
import io.drayage.bench.peer.ReceivedCargoes;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.metrics.DrayageMetrics;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ArrowFlightPeerTest extends PeerBattery {
  @Override
  protected Peer peer() {
    return new ArrowFlightPeer(ArrowSettings.ofSystem());
  }

  @Override
  protected List<PeerCodec> codecs() {
    return List.of(
        new PeerCodec("arrow", "none", null),
        new PeerCodec("arrow", "zstd", null),
        new PeerCodec("arrow", "zstd", 1));
  }

  /** UTF-8 has no unpaired surrogates. */
  @Override
  protected ChangeCargo wellFormed(ChangeCargo cargo) {
    ChangeCargo.Builder copy = ChangeCargo.builder(cargo.transactionId(), cargo.baseSnapshot());
    for (var table : cargo.tables()) {
      copy.table(
          table.table(),
          changes -> {
            table
                .insertedColumns()
                .forEach(in -> changes.insert(in.column(), wellFormed(in.values())));
            table
                .updates()
                .forEach(up -> changes.update(up.column(), up.rowIds(), wellFormed(up.values())));
            if (table.deletedRows() != null) {
              changes.delete(table.deletedRows());
            }
          });
    }
    return copy.build();
  }

  private static ColumnValues wellFormed(ColumnValues values) {
    if (values.type() != ColumnType.STRING) {
      return values;
    }
    String[][] pages = new String[values.pageCount()][];
    for (int page = 0; page < pages.length; page++) {
      pages[page] =
          Arrays.stream((String[]) values.page(page))
              .map(ArrowFlightPeerTest::wellFormed)
              .toArray(String[]::new);
    }
    return ColumnValues.of(pages);
  }

  private static @Nullable String wellFormed(@Nullable String text) {
    return text == null
        ? null
        : new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }

  @Test
  void refusesATextThatIsNoUtf8() throws Exception {
    ChangeCargo cargo =
        ChangeCargo.builder(new UUID(1, 1), 0)
            .table("t", table -> table.insert("c", ColumnValues.of(new String[][] {{"\uD800"}})))
            .build();
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    ReceivedCargoes received = new ReceivedCargoes(() -> {});
    PeerCodec codec = codecs().get(0);
    try (var receiver = peer().listen(codec, any, received, new DrayageMetrics());
        var sender = peer().connect(codec, receiver.address(), new DrayageMetrics())) {
      assertThatThrownBy(() -> sender.send(cargo))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("unpaired surrogate");
    }
  }
}
