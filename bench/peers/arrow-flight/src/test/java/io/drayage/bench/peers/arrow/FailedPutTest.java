package io.drayage.bench.peers.arrow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.bench.peer.ReceivedCargoes;
import io.drayage.bench.peers.arrow.PutHeader.PutKind;
import io.drayage.cargo.CargoDigest;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.IllegalTextException;
import io.drayage.cargo.PageSource;
import io.drayage.cargo.TextPage;
import io.drayage.metrics.DrayageMetrics;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A failed put leaves nothing at the transactor. */
@Timeout(180)
final class FailedPutTest {
  private static final UUID TRANSACTION = new UUID(1, 1);

  /** Returns a cargo whose first part can be put, and whose second part needs {@code texts}. */
  private static ChangeCargo cargo(PageSource texts) {
    return ChangeCargo.builder(TRANSACTION, 0)
        .table("a", table -> table.insert("n", ColumnValues.of(new long[][] {{1, 2, 3}})))
        .table(
            "b", table -> table.insert("t", ColumnValues.onDemand(ColumnType.STRING, 2, 2, texts)))
        .build();
  }

  private static Object noPage(int page) {
    throw new IllegalTextException(1, "is no text");
  }

  @Test
  void theSameCargoGoesWellAfterItHasFailed() throws Exception {
    ReceivedCargoes received = new ReceivedCargoes(() -> {});
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    ArrowSettings settings = ArrowSettings.ofSystem();
    try (ArrowReceiver receiver = new ArrowReceiver(settings, any, received, new DrayageMetrics());
        ArrowSender sender =
            new ArrowSender(settings, null, receiver.address(), new DrayageMetrics())) {
      assertThatThrownBy(() -> sender.send(cargo(FailedPutTest::noPage)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("the text in row 1 is no text");
      assertThat(received.cargoes()).isEmpty();

      ChangeCargo good = cargo(page -> TextPage.of("x", "y"));
      assertThat(sender.send(good).number()).isEqualTo(1);
      assertThat(received.cargoes())
          .extracting(CargoDigest::of)
          .containsExactly(CargoDigest.of(good));
      // The transactor learns of the failed put on another thread, soon.
      while (receiver.unfinishedParts() > 0) {
        TimeUnit.MILLISECONDS.sleep(5);
      }
    }
  }

  @Test
  void takesNoFurtherPutsOfACargoOfWhichOneFailed() throws Exception {
    PutHeader header =
        new PutHeader(
            new UUID(2, 2), TRANSACTION, 0, List.of("a"), 2, 0, 0, PutKind.INSERTED, 3, 0, 3, 0);
    InboundCargo cargo = new InboundCargo(header);
    cargo.columns(header, new Schema(List.of()));
    assertThat(cargo.begunParts()).isEqualTo(1);
    cargo.drop();
    assertThat(cargo.begunParts()).isZero();
    assertThatThrownBy(() -> cargo.columns(header, new Schema(List.of())))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("another put of this cargo has failed");
  }
}
