package io.drayage.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.transport.PeerLimits;
import io.drayage.transport.TransportOptions;
import io.netty.channel.DefaultEventLoop;
import java.net.InetAddress;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class CreditQuotaTest {
  private static final InetAddress PEER = InetAddress.getLoopbackAddress();
  private static final long BUDGET = PeerLimits.DEFAULT.maxBytesPerPeer();

  private final DefaultEventLoop home = new DefaultEventLoop();
  private final PeerQuotas peers = new PeerQuotas(PeerLimits.DEFAULT, BUDGET);

  @AfterEach
  void end() {
    home.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }

  @Test
  void returnsItsCreditOnceThoughAConnectionJoinsLate() throws Exception {
    home.submit(
            () -> {
              CreditQuota quota = new CreditQuota(TransportOptions.DEFAULT, peers, PEER, home, 0);
              assertThat(quota.acquire(() -> {})).isTrue();
              quota.newWindow().close();
              quota.release();
              quota.newWindow().close();
              quota.close();
            })
        .get();
    assertThat(peers.tryAcquire(PEER, BUDGET)).isTrue();
    assertThat(peers.tryAcquire(PEER, 1)).as("more than the budget").isFalse();
  }
}
