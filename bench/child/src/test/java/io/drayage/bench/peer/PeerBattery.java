package io.drayage.bench.peer;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.RandomCargo;
import io.drayage.cargo.RowBits;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.testing.Repaging;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Tests for every peer, over a loopback connection within this JVM. */
public abstract class PeerBattery {
  private static final int ROWS = 3_000;

  protected abstract Peer peer();

  /** Returns all codecs of the peer. */
  protected abstract List<PeerCodec> codecs();

  private interface Shipping {
    void run(PeerSender sender, ReceivedCargoes received) throws Exception;
  }

  private void withEach(Shipping shipping) throws Exception {
    for (PeerCodec codec : codecs()) {
      ReceivedCargoes received = new ReceivedCargoes(() -> {});
      InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
      try (PeerReceiver receiver = peer().listen(codec, any, received, new DrayageMetrics());
          PeerSender sender = peer().connect(codec, receiver.address(), new DrayageMetrics())) {
        shipping.run(sender, received);
      }
    }
  }

  private void assertCarries(ChangeCargo cargo) throws Exception {
    withEach(
        (sender, received) -> {
          PeerReport report = sender.send(cargo);
          assertThat(report.number()).isEqualTo(1);
          assertThat(received.cargoes()).hasSize(1);
          ChangeCargo arrived = received.cargoes().get(0);
          assertThat(CargoDigest.of(arrived)).isEqualTo(CargoDigest.of(cargo));
          assertThat(CargoSize.rawBytes(arrived)).isEqualTo(CargoSize.rawBytes(cargo));
          assertThat(report.wireBytes()).isPositive();
          assertThat(report.messages()).isPositive();
        });
  }

  @Test
  void carriesEveryTypeWithNullsUpdatesAndDeletes() throws Exception {
    for (long seed = 1; seed <= 3; seed++) {
      assertCarries(wellFormed(RandomCargo.of(seed, ROWS)));
    }
  }

  /** Makes a cargo of this peer's tests well-formed; a peer may not carry every text. */
  protected ChangeCargo wellFormed(ChangeCargo cargo) {
    return cargo;
  }

  @Test
  void carriesPagesThatNothingIsAlignedWith() throws Exception {
    assertCarries(wellFormed(Repaging.of(RandomCargo.of(4, ROWS), 77)));
  }

  @Test
  void carriesColumnsOfManyBatches() throws Exception {
    int rows = 1_200_000;
    long[][] longs = {LongStream.range(0, rows).toArray()};
    double[][] doubles = {LongStream.range(0, rows).mapToDouble(i -> i / 7.0).toArray()};
    RowBits validity = RowBits.allSet(rows);
    for (int row = 0; row < rows; row += 977) {
      validity.clear(row);
    }
    RowBits deleted = new RowBits(3L * rows + 5);
    deleted.set(0);
    deleted.set(3L * rows + 4);
    assertCarries(
        ChangeCargo.builder(new UUID(1, 2), 17)
            .table(
                "large",
                table ->
                    table
                        .insert("id", ColumnValues.of(longs))
                        .insert("price", ColumnValues.of(doubles, validity))
                        .update("price", ColumnValues.of(longs), ColumnValues.of(doubles))
                        .delete(deleted))
            .table("untouched", table -> {})
            .build());
  }

  @Test
  void shipsOneCargoAfterTheOther() throws Exception {
    withEach(
        (sender, received) -> {
          List<Long> sent = new ArrayList<>();
          for (long seed = 5; seed < 9; seed++) {
            ChangeCargo cargo = wellFormed(RandomCargo.of(seed, 200));
            sent.add(CargoDigest.of(cargo));
            assertThat(sender.send(cargo).number()).isEqualTo(sent.size());
          }
          assertThat(received.cargoes())
              .extracting(CargoDigest::of)
              .containsExactlyElementsOf(sent);
        });
  }
}
