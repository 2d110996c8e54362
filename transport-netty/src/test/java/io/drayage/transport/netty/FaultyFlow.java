package io.drayage.transport.netty;

import io.drayage.frame.FrameType;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * One direction of a connection through the proxy: passes bytes on, and does to them what the
 * faults say. Headers are held back until they are whole, so that a fault in front of a frame is in
 * front of all of it. For the proxy's thread.
 */
final class FaultyFlow {
  private static final int BUFFER_BYTES = 64 << 10;

  private final SocketChannel source;
  private final SocketChannel sink;
  private final Consumer<WireFault> whenReached;
  private final List<WireFault> faults;
  private final Map<FrameType, Integer> framesSeen = new HashMap<>();
  private final Map<WireFault, Long> offsets = new HashMap<>();
  private final FrameTracker frames = new FrameTracker(this::onFrame);

  /** Ready to be filled; what is in it was not written yet. */
  private final ByteBuffer pending = ByteBuffer.allocate(BUFFER_BYTES);

  /** Bytes of the stream that are done with: written, lost or swallowed. */
  private long passedBytes;

  private boolean sourceEnded;
  private boolean swallowing;
  private boolean ended;
  private int bytesPerMs = Integer.MAX_VALUE;
  private int singleBytesLeft;
  private int bytesToLose;
  private int bitsToFlip;
  private long nextWriteNs = System.nanoTime();

  FaultyFlow(
      SocketChannel source,
      SocketChannel sink,
      List<WireFault> faults,
      Consumer<WireFault> whenReached) {
    this.source = source;
    this.sink = sink;
    this.faults = new ArrayList<>(faults);
    this.whenReached = whenReached;
    for (WireFault fault : faults) {
      if (fault.place() instanceof WireFault.Place.AtByte at) {
        offsets.put(fault, at.offset());
      }
    }
  }

  private void onFrame(FrameType type, long offset, long frameBytes) {
    int ordinal = framesSeen.merge(type, 1, Integer::sum) - 1;
    for (WireFault fault : faults) {
      if (fault.place() instanceof WireFault.Place.InFrame at
          && at.type() == type
          && at.ordinal() == ordinal) {
        offsets.put(fault, offset + (long) (at.part() * frameBytes));
      }
    }
  }

  boolean wantsRead() {
    return !sourceEnded && (swallowing || pending.hasRemaining());
  }

  boolean wantsWrite(long nowNs) {
    return !ended && nowNs - nextWriteNs >= 0 && writableBytes() > 0;
  }

  /** When it goes on by itself; {@link Long#MAX_VALUE} if it does not. */
  long nanosUntilWrite(long nowNs) {
    boolean waitsForTime = !ended && writableBytes() > 0 && nextWriteNs - nowNs > 0;
    return waitsForTime ? nextWriteNs - nowNs : Long.MAX_VALUE;
  }

  boolean isEnded() {
    return ended && (sourceEnded || !source.isOpen());
  }

  void read() throws IOException {
    if (swallowing) {
      pending.clear();
    }
    int start = pending.position();
    int count = source.read(pending);
    sourceEnded = count < 0;
    if (!swallowing && count > 0) {
      frames.follow(pending.duplicate().position(start).limit(start + count));
    }
  }

  private long writableBytes() {
    if (swallowing) {
      return 0;
    }
    long known = sourceEnded ? Long.MAX_VALUE : frames.knownUntil();
    return Math.min(pending.position(), known - passedBytes);
  }

  /** Writes what can be written now, and lets happen what is reached. */
  void write(long nowNs) throws IOException {
    boolean going = true;
    while (going && wantsWrite(nowNs)) {
      fireReached();
      if (wantsWrite(nowNs)) {
        going = writeUpTo((int) Math.min(writableBytes(), bytesUntilFault()), nowNs);
      }
    }
    if (sourceEnded && !ended && pending.position() == 0) {
      ended = true;
      sink.shutdownOutput();
    }
  }

  private void fireReached() {
    for (Iterator<WireFault> each = faults.iterator(); each.hasNext(); ) {
      WireFault fault = each.next();
      Long offset = offsets.get(fault);
      if (offset != null && offset <= passedBytes) {
        each.remove();
        whenReached.accept(fault);
      }
    }
  }

  private long bytesUntilFault() {
    long next = Long.MAX_VALUE;
    for (WireFault fault : faults) {
      next = Math.min(next, offsets.getOrDefault(fault, Long.MAX_VALUE));
    }
    return next - passedBytes;
  }

  /** Returns whether more may follow at once. */
  private boolean writeUpTo(int maxBytes, long nowNs) throws IOException {
    int count = Math.min(maxBytes, singleBytesLeft > 0 ? 1 : bytesPerMs);
    pending.flip();
    if (bytesToLose > 0) {
      count = Math.min(maxBytes, bytesToLose);
      bytesToLose -= count;
      pending.position(count);
    } else {
      pending.put(0, (byte) (pending.get(0) ^ bitsToFlip));
      bitsToFlip = 0;
      count = sink.write(pending.slice(0, count));
      pending.position(count);
      singleBytesLeft = Math.max(0, singleBytesLeft - count);
      if (bytesPerMs < Integer.MAX_VALUE) {
        nextWriteNs = nowNs + TimeUnit.MILLISECONDS.toNanos(1);
      }
    }
    pending.compact();
    passedBytes += count;
    return count > 0;
  }

  // What can happen to it.

  /** Its receiver hears nothing any more, not even the end of the stream. */
  void swallow() {
    swallowing = true;
    ended = true;
    pending.clear();
  }

  /** Its receiver sees the end of the stream. */
  void truncate() throws IOException {
    swallow();
    if (sink.isOpen()) {
      sink.shutdownOutput();
    }
  }

  void flip(int bit) {
    bitsToFlip = 1 << bit;
  }

  void lose(int bytes) {
    bytesToLose = bytes;
  }

  void throttle(int bytes) {
    bytesPerMs = bytes;
  }

  void delay(int ms) {
    nextWriteNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms);
  }

  void singleBytes(int count) {
    singleBytesLeft = count;
  }

  /** Its receiver sees a reset. */
  void resetSink() throws IOException {
    swallow();
    if (sink.isOpen()) {
      sink.setOption(StandardSocketOptions.SO_LINGER, 0);
      sink.close();
    }
  }
}
