package io.drayage.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

final class BufferPoolTest {
  private final ByteBudget budget = new ByteBudget(10_000);
  private final BufferPool pool = new BufferPool(1_000, budget);

  @Test
  void usesBuffersAgainAsIfTheyWereNew() throws InterruptedException {
    Lease first = pool.lease(1);
    ByteBuffer buffer = first.buffer();
    buffer.order(ByteOrder.BIG_ENDIAN).position(7).limit(9);
    first.close();

    try (Lease second = pool.lease(1_000)) {
      assertThat(second.buffer()).isSameAs(buffer);
      assertThat(second.buffer().order()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
      assertThat(second.remainingBytes()).isEqualTo(1_000);
      assertThat(second.buffer().isDirect()).isTrue();
    }
  }

  @Test
  void lendsOneBufferToOneOwner() throws InterruptedException {
    try (Lease one = pool.lease(1);
        Lease other = pool.lease(1)) {
      assertThat(one.buffer()).isNotSameAs(other.buffer());
    }
  }

  @Test
  void makesLargerBuffersForOneLeaseOnly() throws InterruptedException {
    Lease large = pool.lease(1_001);
    ByteBuffer buffer = large.buffer();
    assertThat(buffer.capacity()).isEqualTo(1_001);
    assertThat(budget.usedBytes()).isEqualTo(1_001);
    large.close();

    try (Lease next = pool.lease(1_001)) {
      assertThat(next.buffer()).isNotSameAs(buffer);
    }
    assertThat(budget.usedBytes()).isZero();
  }

  @Test
  void refusesLeaseThatIsClosedTwiceOrUsedAfterwards() throws InterruptedException {
    Lease lease = pool.lease(1);
    lease.close();

    assertThatThrownBy(lease::close).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(lease::buffer).isInstanceOf(IllegalStateException.class);
    assertThat(budget.usedBytes()).isZero();
  }
}
