package io.drayage.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class FrameBuffersTest {
  private static final int FRAME_BYTES = (1 << 20) + 48;

  private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
  private final FrameBuffers buffers = new FrameBuffers(4 << 20);

  private ByteBuf take(int bytes) {
    return buffers.acquire(bytes, allocator);
  }

  private long heldBytes() {
    return allocator.metric().usedDirectMemory();
  }

  @Test
  void handsOutTheBufferThatCameBackLast() {
    buffers.opened();
    ByteBuf cold = take(FRAME_BYTES);
    ByteBuf hot = take(FRAME_BYTES);
    buffers.release(cold);
    buffers.release(hot);

    assertThat(take(FRAME_BYTES - 40)).isSameAs(hot);
    assertThat(take(FRAME_BYTES)).isSameAs(cold);
  }

  @Test
  void givesAtLeastWhatIsAskedForAndAnEighthMoreAtMost() {
    buffers.opened();
    for (int bytes = 1; bytes < 4 << 20; bytes += 9_973) {
      ByteBuf buffer = take(bytes);
      assertThat(buffer.capacity()).isBetween(bytes, bytes + bytes / 8 + 1);
      buffers.release(buffer);
    }
  }

  @Test
  void keepsNoMoreThanItMay() {
    buffers.opened();
    ByteBuf[] taken = new ByteBuf[8];
    for (int i = 0; i < taken.length; i++) {
      taken[i] = take(FRAME_BYTES);
    }
    for (ByteBuf buffer : taken) {
      buffers.release(buffer);
    }

    assertThat(heldBytes()).isPositive().isLessThanOrEqualTo(4 << 20);
  }

  @Test
  void makesRoomForTheSizesThatAreInUseNow() {
    buffers.opened();
    ByteBuf large = take(4_000_000);
    buffers.release(large);
    ByteBuf small = take(FRAME_BYTES);
    buffers.release(small);

    assertThat(take(FRAME_BYTES)).isSameAs(small);
    assertThat(large.refCnt()).isZero();
  }

  @Test
  void keepsNothingWithoutConnections() {
    buffers.opened();
    ByteBuf early = take(FRAME_BYTES);
    ByteBuf late = take(FRAME_BYTES);
    buffers.release(early);
    buffers.closed();
    assertThat(early.refCnt()).isZero();

    buffers.release(late);
    assertThat(heldBytes()).isZero();
  }

  @Test
  void keepsNoSmallBuffers() {
    buffers.opened();
    ByteBuf small = take(FrameBuffers.MIN_KEPT_BYTES - 1);
    buffers.release(small);

    assertThat(small.refCnt()).isZero();
  }
}
