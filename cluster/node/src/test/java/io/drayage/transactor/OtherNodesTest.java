package io.drayage.transactor;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.coordination.CoordinationException;
import io.drayage.coordination.InMemoryCluster;
import io.drayage.coordination.InMemoryCoordination;
import io.drayage.coordination.Membership;
import io.drayage.coordination.NodeInfo;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class OtherNodesTest {
  private final AtomicLong nowNs = new AtomicLong();
  private final InMemoryCoordination coordination = new InMemoryCoordination(new InMemoryCluster());
  private final OtherNodes others = new OtherNodes(coordination, "t1", nowNs::get);

  private Membership join(String name) throws CoordinationException {
    return coordination.join(new NodeInfo(name, "127.0.0.1:1"));
  }

  private void refreshLater(long seconds) {
    nowNs.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
    others.refresh();
  }

  @Test
  void countsNeitherItselfNorTheWorkerThatHasTheCargo() throws CoordinationException {
    join("t1");
    join("t2");
    join("w1");
    Membership leaving = join("w2");
    assertThat(others.without("w1")).isZero();
    refreshLater(0);
    assertThat(others.without("w1")).isEqualTo(2);
    assertThat(others.without("stranger")).isEqualTo(3);
    leaving.close();
    refreshLater(9);
    assertThat(others.without("w1")).isEqualTo(2);
    refreshLater(1);
    assertThat(others.without("w1")).isOne();
  }
}
