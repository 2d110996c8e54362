package io.drayage.transport.netty;

import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.transport.TcpWire;
import io.drayage.transport.netty.WireFault.FlowDirection;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A proxy between workers and one transactor that makes faults. Its effect on the bytes of a
 * connection depends only on these bytes and on the faults.
 */
final class FaultProxy implements TcpWire.Carrier {
  private static final int BACKLOG = 64;

  private final List<WireFault> faults;
  private final Map<Integer, Link> links = new ConcurrentHashMap<>();

  private FaultProxy(List<WireFault> faults) {
    this.faults = faults;
  }

  static TcpWire before(InetSocketAddress transactor, List<WireFault> faults) {
    return new TcpWire(transactor, BACKLOG, new FaultProxy(faults));
  }

  @Override
  public void carry(int connection, Socket from, Socket to, boolean forth) throws IOException {
    Link link =
        links.computeIfAbsent(
            connection, number -> new Link(number, forth ? from : to, forth ? to : from));
    (forth ? link.toTransactor : link.toWorker).carry();
  }

  /** One connection. Its monitor guards the faults of its flows. */
  private final class Link {
    private final Flow toTransactor;
    private final Flow toWorker;

    Link(int number, Socket worker, Socket transactor) {
      toTransactor = new Flow(worker, transactor, number, FlowDirection.TO_TRANSACTOR);
      toWorker = new Flow(transactor, worker, number, FlowDirection.TO_WORKER);
    }

    private void happen(WireFault fault) throws IOException {
      boolean forth = fault.affected() == FlowDirection.TO_TRANSACTOR;
      Flow flow = forth ? toTransactor : toWorker;
      Flow other = forth ? toWorker : toTransactor;
      switch (fault.kind()) {
        case RESET -> reset();
        case HALF_OPEN -> {
          flow.swallowing = true;
          other.swallowing = true;
          TcpWire.reset(flow.sink);
        }
        case SILENT_DROP -> flow.swallowing = true;
        case FREEZE -> {
          flow.swallowing = true;
          other.swallowing = true;
        }
        case TRUNCATE -> {
          flow.swallowing = true;
          if (!flow.sink.isClosed()) {
            flow.sink.shutdownOutput();
          }
        }
        case FLIP -> flow.bitsToFlip = 1 << fault.amount();
        case LOSE -> flow.bytesToLose = fault.amount();
        case THROTTLE -> flow.bytesPerMs = fault.amount();
        case DELAY -> flow.pauseMs = fault.amount();
        case SINGLE_BYTES -> flow.singleBytesLeft = fault.amount();
      }
    }

    private void reset() {
      TcpWire.reset(toTransactor.sink);
      TcpWire.reset(toWorker.sink);
    }

    /** One direction: passes frames on, with the faults that the schedule contains. */
    private final class Flow {
      private final Socket source;
      private final Socket sink;
      private final List<WireFault> watched;
      private final Map<FrameType, Integer> framesSeen = new HashMap<>();
      private final Map<WireFault, Long> offsets = new HashMap<>();

      /** Bytes of the stream that were written, lost or swallowed. */
      private long passedBytes;

      /** Whether the receiver gets nothing any more, not even the end of the stream. */
      private boolean swallowing;

      private int bytesPerMs = Integer.MAX_VALUE;
      private int pauseMs;
      private int singleBytesLeft;
      private int bytesToLose;
      private int bitsToFlip;

      Flow(Socket source, Socket sink, int number, FlowDirection direction) {
        this.source = source;
        this.sink = sink;
        this.watched =
            new ArrayList<>(
                faults.stream()
                    .filter(f -> f.connection() == number && f.watched() == direction)
                    .toList());
        for (WireFault fault : watched) {
          if (fault.place() instanceof WireFault.Place.AtByte at) {
            offsets.put(fault, at.offset());
          }
        }
      }

      void carry() throws IOException {
        try {
          InputStream in = source.getInputStream();
          for (byte[] frame = next(in); frame.length > 0; frame = next(in)) {
            for (int at = 0; at < frame.length; ) {
              at += pass(frame, at);
            }
          }
          if (!isSwallowing()) {
            sink.shutdownOutput();
          }
        } catch (IOException e) {
          if (!isSwallowing()) {
            reset(); // Whichever side broke it, the other side sees the same.
            throw e;
          }
        }
      }

      private boolean isSwallowing() {
        synchronized (Link.this) {
          return swallowing;
        }
      }

      /** Reads the next frame; shorter if the stream ends in it. */
      private byte[] next(InputStream in) throws IOException {
        byte[] header = in.readNBytes(FrameHeader.BYTES);
        if (header.length < FrameHeader.BYTES) {
          return header;
        }
        ByteBuffer fields = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
        FrameType type = FrameHeader.type(fields);
        int bytes = FrameHeader.BYTES + FrameHeader.payloadBytes(fields, 0);
        int ordinal = framesSeen.merge(type, 1, Integer::sum) - 1;
        for (WireFault fault : watched) {
          if (fault.place() instanceof WireFault.Place.InFrame at
              && at.type() == type
              && at.ordinal() == ordinal) {
            offsets.put(fault, passedBytes + (long) (at.part() * bytes));
          }
        }
        byte[] frame = Arrays.copyOf(header, bytes);
        int read = in.readNBytes(frame, FrameHeader.BYTES, bytes - FrameHeader.BYTES);
        return read == bytes - FrameHeader.BYTES
            ? frame
            : Arrays.copyOf(frame, FrameHeader.BYTES + read);
      }

      /** Applies reached faults, then passes bytes up to the next one; returns their number. */
      private int pass(byte[] bytes, int from) throws IOException {
        int count = bytes.length - from;
        boolean written;
        long pauseNs;
        synchronized (Link.this) {
          fireReached();
          for (WireFault fault : watched) {
            long next = offsets.getOrDefault(fault, Long.MAX_VALUE) - passedBytes;
            count = (int) Math.min(count, next);
          }
          written = !swallowing && bytesToLose == 0;
          if (written) {
            count = Math.min(count, singleBytesLeft > 0 ? 1 : bytesPerMs);
            bytes[from] ^= (byte) bitsToFlip;
            bitsToFlip = 0;
            singleBytesLeft = Math.max(0, singleBytesLeft - count);
          } else if (!swallowing) {
            count = Math.min(count, bytesToLose);
            bytesToLose -= count;
          }
          pauseNs = TimeUnit.MILLISECONDS.toNanos(pauseMs);
          pauseMs = bytesPerMs < Integer.MAX_VALUE ? 1 : 0;
        }
        LockSupport.parkNanos(pauseNs);
        if (written) {
          write(bytes, from, count);
        }
        passedBytes += count;
        return count;
      }

      private void write(byte[] bytes, int from, int count) throws IOException {
        try {
          sink.getOutputStream().write(bytes, from, count);
        } catch (IOException e) {
          if (!isSwallowing()) {
            throw e;
          }
        }
      }

      private void fireReached() throws IOException {
        for (Iterator<WireFault> each = watched.iterator(); each.hasNext(); ) {
          WireFault fault = each.next();
          Long offset = offsets.get(fault);
          if (offset != null && offset <= passedBytes) {
            each.remove();
            happen(fault);
          }
        }
      }
    }
  }
}
