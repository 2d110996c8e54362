package io.drayage.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.ShipmentException;
import io.drayage.testing.WireFrames;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class FrameReceiverTest {
  private static final int PAYLOAD_BYTES = 1 << 20;

  private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
  private final FrameBuffers buffers = new FrameBuffers(8 << 20);
  private final FrameReceiver receiver = new FrameReceiver(new Nobody(), buffers);
  private EmbeddedChannel channel;

  @BeforeEach
  void connect() {
    buffers.opened(); // Another connection of the same server.
    channel = new EmbeddedChannel();
    channel.config().setAllocator(allocator);
    channel.pipeline().addLast(receiver);
  }

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
    buffers.closed();
    assertThat(allocator.metric().usedDirectMemory()).isZero();
  }

  /** Returns the buffer that the transport asks for before it reads, or gives to io_uring. */
  private ByteBuf nextRead() {
    return receiver.allocator().newHandle().allocate(allocator);
  }

  private void readHeader() {
    ByteBuf read = nextRead();
    ByteBuffer frame = WireFrames.of(FrameType.SEGMENT, 1, new byte[PAYLOAD_BYTES]);
    read.writeBytes(frame.limit(FrameHeader.BYTES));
    channel.writeInbound(read);
  }

  private ByteBuf takeAsAnotherConnection() {
    return buffers.acquire(2 * FrameHeader.BYTES + PAYLOAD_BYTES, allocator);
  }

  @Test
  void keepsTheBufferOfAFrameThatIsNotWhole() {
    readHeader();
    receiver.discardFurther();
    long keptBytes = allocator.metric().usedDirectMemory();

    ByteBuf other = takeAsAnotherConnection();

    assertThat(allocator.metric().usedDirectMemory()).isEqualTo(keptBytes);
    buffers.release(other);
  }

  @Test
  void lendsNobodyABufferThatIsStillBeingReadInto() {
    readHeader();
    ByteBuf underWay = nextRead();
    receiver.discardFurther();

    ByteBuf other = takeAsAnotherConnection();
    other.setZero(0, other.capacity());
    underWay.writeByte(1);
    channel.writeInbound(underWay);

    byte[] bytes = new byte[other.capacity()];
    other.getBytes(0, bytes);
    assertThat(bytes).isEqualTo(new byte[bytes.length]);
    buffers.release(other);
  }

  /** Accepts any frame; no frame is whole here. */
  private static final class Nobody implements FrameReceiver.Listener {
    @Override
    public void beforeFrame(FrameType type, int frameBytes) {}

    @Override
    public void onFrame(FrameType type, ByteBuffer frame, Runnable recycle) {
      recycle.run();
    }

    @Override
    public void onBadFrame(ShipmentException cause) {
      throw new AssertionError(cause);
    }
  }
}
