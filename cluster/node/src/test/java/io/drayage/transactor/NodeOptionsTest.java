package io.drayage.transactor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.drayage.store.MemoryLimit;
import io.drayage.worker.WorkerOptions;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class NodeOptionsTest {
  private static final InetSocketAddress LISTEN =
      InetSocketAddress.createUnresolved("127.0.0.1", 7070);

  @Test
  void nameThatIsTooLongIsRefusedWhereItIsMade() {
    String longest = "w".repeat(100);
    String tooLong = longest + "w";

    assertThat(new WorkerOptions(longest).name()).isEqualTo(longest);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new WorkerOptions(tooLong))
        .withMessageContaining("1 to 100 letters")
        .withMessageContaining("it has 101 characters");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new WorkerOptions("w".repeat(100_000)))
        .withMessageContaining("it has 100,000 characters")
        .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(300));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TransactorOptions.builder(tooLong, LISTEN).build())
        .withMessageContaining("101");
  }

  @Test
  void aTransactorNeedsItsNameAndAddressOnly() {
    TransactorOptions options = TransactorOptions.builder("t1", LISTEN).build();

    assertThat(options.advertised()).isEqualTo("127.0.0.1");
    assertThat(options.tables()).isEmpty();
    assertThat(options.memory()).isEqualTo(MemoryLimit.NONE);
    assertThat(options.storeTimeout()).isEqualTo(Duration.ofMinutes(2));
    assertThat(options.toBuilder().codecThreads(3).build().codecThreads()).isEqualTo(3);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> options.toBuilder().codecThreads(0).build())
        .withMessageContaining("codecThreads");
  }
}
