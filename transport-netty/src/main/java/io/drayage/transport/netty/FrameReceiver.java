package io.drayage.transport.netty;

import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.ShipmentException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the bytes of a connection into frames, without copying them.
 *
 * <p>Netty asks the channel's {@link RecvByteBufAllocator} for the buffer of the next read. This
 * allocator knows what comes next, so it returns a slice of the buffer that will be the frame:
 *
 * <pre>
 *   read 1: | header | payload ...             4 KiB: small frames, or the start of a large one
 *   read 2: | header | payload ......| header |  one buffer of the frame's size, plus room for the
 *   read 3: |        | ..... payload | header |  next header, which saves the read of its own
 * </pre>
 *
 * <p>The kernel copies into the frame, and the codec thread decodes from it, with nothing in
 * between. The bytes of the first read are copied into their frames, and so are bytes that did not
 * come through the allocator (of a test, or of a handler in front).
 */
final class FrameReceiver extends ChannelInboundHandlerAdapter {
  static final long NO_FRAME = -1;

  private static final int DISCARD_BYTES = 64 << 10;

  /** Bytes of a read between two frames: all frames of a small cargo. */
  private static final int FIRST_READ_BYTES = 4 << 10;

  /** Receives the frames of one connection, on its event loop. */
  interface Listener {
    /**
     * Checks a frame whose header has come, with a length within the limit of its type. Called
     * before memory is acquired for the rest.
     *
     * @param frameBytes length of the whole frame, header included
     * @throws ShipmentException if the frame must not come now
     */
    void beforeFrame(FrameType type, int frameBytes) throws ShipmentException;

    /**
     * Receives a complete frame.
     *
     * @param frame the whole frame, header checked; the listener owns its memory
     * @param recycle to be called once, on any thread, when the memory is not needed any more
     */
    void onFrame(FrameType type, ByteBuffer frame, Runnable recycle) throws ShipmentException;

    /** Handles bytes that are no frame, or a frame that must not come. No frame follows. */
    void onBadFrame(ShipmentException cause);
  }

  private Listener listener;
  private final FrameBuffers buffers;
  private final ByteBuf header = Unpooled.directBuffer(FrameHeader.BYTES, FrameHeader.BYTES);
  private int headerBytes;

  /** The frame that is being read, with room for the next header; null between frames. */
  private @Nullable ByteBuf frame;

  private FrameType frameType = FrameType.HEARTBEAT;
  private int frameBytes;
  private int filledBytes;
  private long begunFrames;
  private @Nullable ByteBuf handedOut;
  private boolean discarding;
  private boolean released;

  /**
   * @param buffers the source of the frames' memory
   */
  FrameReceiver(Listener listener, FrameBuffers buffers) {
    this.listener = listener;
    this.buffers = buffers;
    buffers.opened();
  }

  /** Changes the listener. Event loop only. */
  void passTo(Listener next) {
    listener = next;
  }

  /** Returns the allocator that the channel needs before its first read. */
  RecvByteBufAllocator allocator() {
    return new DefaultMaxMessagesRecvByteBufAllocator() {
      @Override
      public ExtendedHandle newHandle() {
        return new MaxMessageHandle() {
          @Override
          public ByteBuf allocate(ByteBufAllocator alloc) {
            if (discarding) {
              return alloc.directBuffer(DISCARD_BYTES);
            }
            return frame == null && headerBytes == 0
                ? alloc.directBuffer(FIRST_READ_BYTES)
                : nextReadBuffer();
          }

          @Override
          public int guess() {
            return FrameHeader.BYTES;
          }
        };
      }
    };
  }

  private ByteBuf nextReadBuffer() {
    ByteBuf target = frame == null ? header : frame;
    int from = frame == null ? headerBytes : filledBytes;
    ByteBuf slice = target.retainedSlice(from, end() - from).clear();
    handedOut = slice;
    return slice;
  }

  /** Returns the end of the current read: a buffer may be longer than its frame needs. */
  private int end() {
    return frame == null ? FrameHeader.BYTES : frameBytes + FrameHeader.BYTES;
  }

  /**
   * Returns the number of the frame of which a part has come; {@link #NO_FRAME} if none has begun.
   * If a later call returns the same, the rest is still missing. Event loop only.
   */
  long frameUnderWay() {
    if (discarding) {
      return NO_FRAME;
    }
    if (frame != null) {
      return begunFrames;
    }
    return headerBytes > 0 ? begunFrames + 1 : NO_FRAME;
  }

  /** Drops all further input: the peer only has to read our last answer. */
  void discardFurther() {
    discarding = true;
    headerBytes = 0;
    releaseFrame();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf bytes = (ByteBuf) message;
    try {
      if (discarding) {
        return;
      }
      if (isHandedOut(bytes)) {
        advance(context, bytes.readableBytes());
      } else {
        copyIn(context, bytes);
      }
    } catch (ShipmentException e) {
      discardFurther();
      listener.onBadFrame(e);
    } finally {
      handedOut = null;
      bytes.release();
    }
  }

  /** Compares by identity, because {@link ByteBuf#equals} compares contents. */
  @SuppressWarnings("ReferenceEquality")
  private boolean isHandedOut(ByteBuf bytes) {
    return bytes == handedOut;
  }

  private void copyIn(ChannelHandlerContext context, ByteBuf bytes) throws ShipmentException {
    while (bytes.isReadable() && !discarding) {
      ByteBuf target = frame == null ? header : frame;
      int from = frame == null ? headerBytes : filledBytes;
      int count = Math.min(bytes.readableBytes(), end() - from);
      bytes.readBytes(target, from, count);
      advance(context, count);
    }
  }

  /** Counts {@code count} more bytes of the header or of the frame. */
  private void advance(ChannelHandlerContext context, int count) throws ShipmentException {
    if (frame == null) {
      headerBytes += count;
    } else {
      filledBytes += count;
    }
    if (frame != null && filledBytes >= frameBytes) {
      completeFrame();
    }
    while (headerBytes == FrameHeader.BYTES && frame == null && !discarding) {
      beginFrame(context);
    }
  }

  private void beginFrame(ChannelHandlerContext context) throws ShipmentException {
    ByteBuffer view = header.nioBuffer(0, FrameHeader.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    frameBytes = FrameHeader.BYTES + FrameHeader.payloadBytes(view, 0);
    frameType = FrameHeader.type(view);
    listener.beforeFrame(frameType, frameBytes);
    int capacity = frameBytes + FrameHeader.BYTES;
    ByteBuf fresh = buffers.acquire(capacity, context.alloc());
    fresh.setBytes(0, header, 0, FrameHeader.BYTES);
    frame = fresh;
    filledBytes = FrameHeader.BYTES;
    headerBytes = 0;
    begunFrames++;
    if (filledBytes >= frameBytes) {
      completeFrame();
    }
  }

  private void completeFrame() throws ShipmentException {
    ByteBuf complete = frame;
    if (complete == null) {
      return;
    }
    headerBytes = filledBytes - frameBytes;
    header.setBytes(0, complete, frameBytes, headerBytes);
    frame = null;
    ByteBuffer buffer = complete.nioBuffer(0, frameBytes).order(ByteOrder.LITTLE_ENDIAN);
    listener.onFrame(frameType, buffer, () -> buffers.release(complete));
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    release();
  }

  /**
   * Releases all memory, and drops further bytes. Called when the channel is closed, maybe within
   * {@link #channelRead}, and when the handler is removed, which an event loop that shuts down at
   * that moment may skip. Idempotent. Event loop only.
   */
  void release() {
    discardFurther();
    if (!released) {
      released = true;
      header.release();
      buffers.closed();
    }
  }

  /**
   * Drops the incomplete frame. With io_uring the kernel may still write into the part that it has;
   * the buffer is then released only after that write.
   */
  private void releaseFrame() {
    ByteBuf unfinished = frame;
    frame = null;
    if (unfinished == null) {
      return;
    }
    if (unfinished.refCnt() > 1) {
      unfinished.release();
    } else {
      buffers.release(unfinished);
    }
  }
}
