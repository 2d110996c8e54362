package io.drayage.transport;

import io.drayage.frame.Failure;
import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.memory.Lease;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Both ends of one shipment: frames go from the threads that offer them to a thread of the shipment
 * that plays the event loop. Guarded by its monitor; handler and futures are called without it.
 */
final class LoopbackShipment implements Shipment {
  /** Frames on the wire at a time: few, so that a cut loses few. */
  private static final int MAX_FRAMES_ON_WIRE = 4;

  private final long id;
  private final TransportOptions options;
  private final AtomicLong serverInFlightBytes;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final CompletableFuture<Void> accepted = new CompletableFuture<>();
  private final CompletableFuture<Seal> held = new CompletableFuture<>();
  private final CompletableFuture<Long> committed = new CompletableFuture<>();

  private final Queue<ByteBuffer> arrived = new ArrayDeque<>();
  private final ReadyActions ready = new ReadyActions();
  private long inFlightBytes;
  private long releases;
  private long lastHeardNs = System.nanoTime();
  private boolean sealed;
  private boolean over;
  private volatile @Nullable ResumeTicket ticket;
  private @Nullable ShipmentException failure;
  private @Nullable ShipmentException abortCause;

  LoopbackShipment(long id, TransportOptions options, AtomicLong serverInFlightBytes) {
    this.id = id;
    this.options = options;
    this.serverInFlightBytes = serverInFlightBytes;
  }

  /** Gives frames to {@code handler} on a thread of its own, until the shipment is over. */
  void start(Callable<LoopbackSession> begin, Runnable onEnd) {
    Thread loop =
        new Thread(
            () -> {
              try {
                receive(begin.call());
              } catch (ShipmentException e) {
                fail(e, null);
              } catch (Exception e) {
                throw new AssertionError(e);
              } finally {
                onEnd.run();
                ended.countDown();
              }
            },
            "loopback-" + id);
    loop.setDaemon(true);
    loop.start();
  }

  boolean hasEnded() {
    return ended.getCount() == 0;
  }

  /** Returns when no frame will reach the handler any more. */
  void awaitEnd() throws InterruptedException {
    ended.await();
  }

  void awaitAccepted(Duration timeout) throws ShipmentException, InterruptedException {
    try {
      accepted.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw ShipmentException.of(e.getCause());
    } catch (TimeoutException e) {
      throw new ShipmentException(
          Fault.PEER_SILENT, "no answer to the request within " + timeout, e);
    }
  }

  private void receive(LoopbackSession session) {
    ShipmentHandler handler = session.handler();
    ticket = session.ticket();
    accepted.complete(null);
    ByteBuffer frame = next();
    while (frame != null) {
      ready.runAll();
      deliver(frame, handler);
      frame = next();
    }
    ShipmentException cause;
    synchronized (this) {
      cause = abortCause;
    }
    if (cause != null) {
      session.onLost(cause);
    }
  }

  private synchronized @Nullable ByteBuffer next() {
    try {
      while (!over && arrived.isEmpty()) {
        wait();
      }
    } catch (InterruptedException e) {
      throw new AssertionError("nobody interrupts this thread", e);
    }
    if (over) {
      arrived.forEach(this::release);
      arrived.clear();
      return null;
    }
    releases++;
    notifyAll();
    return arrived.remove();
  }

  private void deliver(ByteBuffer frame, ShipmentHandler handler) {
    try {
      FrameType type = check(frame);
      if (type.needsCredit()) {
        handler.onFrame(new Lease(frame, () -> release(frame)));
        return;
      }
      if (type == FrameType.CANCEL) {
        abort(Failure.ofPayload(FrameHeader.verify(frame)));
      } else if (type != FrameType.HEARTBEAT) {
        abort(
            new ShipmentException(
                Fault.PROTOCOL_VIOLATION, "a worker sends no " + type + " frames"));
      }
    } catch (ShipmentException e) {
      abort(e);
    }
    release(frame);
  }

  private FrameType check(ByteBuffer frame) throws ShipmentException {
    if (frame.remaining() < FrameHeader.BYTES
        || FrameHeader.payloadBytes(frame, 0) != frame.remaining() - FrameHeader.BYTES) {
      throw new ShipmentException(
          Fault.BAD_FRAME, "a frame of %,d bytes states another length".formatted(frame.limit()));
    }
    if (FrameHeader.shipmentId(frame) != id) {
      throw new ShipmentException(
          Fault.PROTOCOL_VIOLATION,
          "a frame of shipment %,d in shipment %,d".formatted(FrameHeader.shipmentId(frame), id));
    }
    FrameType type = FrameHeader.type(frame);
    synchronized (this) {
      lastHeardNs = System.nanoTime();
      sealed |= type == FrameType.SEAL;
    }
    return type;
  }

  private void release(ByteBuffer frame) {
    synchronized (this) {
      inFlightBytes -= frame.capacity();
      serverInFlightBytes.addAndGet(-frame.capacity());
      releases++;
      lastHeardNs = System.nanoTime();
      notifyAll();
    }
    ready.runAll();
  }

  void checkSilence() {
    long silentMs = silentMs();
    if (silentMs > options.idleTimeout().toMillis()) {
      abort(
          new ShipmentException(
              Fault.PEER_SILENT,
              "shipment %,d: the worker sent nothing for %,d ms, the limit is %,d ms"
                  .formatted(id, silentMs, options.idleTimeout().toMillis())));
    }
  }

  /** Returns when every lease of its frames is released. */
  synchronized void awaitReleased() throws InterruptedException {
    while (inFlightBytes > 0) {
      wait();
    }
  }

  private synchronized long silentMs() {
    boolean waiting = !sealed && inFlightBytes == 0;
    return waiting ? (System.nanoTime() - lastHeardNs) / 1_000_000 : 0;
  }

  /** Ends the shipment for both ends. */
  void abort(ShipmentException cause) {
    fail(cause, cause);
  }

  private void fail(ShipmentException cause, @Nullable ShipmentException forHandler) {
    synchronized (this) {
      if (over) {
        return;
      }
      over = true;
      failure = cause;
      abortCause = forHandler;
      notifyAll();
    }
    ready.runAll();
    accepted.completeExceptionally(cause);
    held.completeExceptionally(cause);
    committed.completeExceptionally(cause);
  }

  // The worker's end.

  @Override
  public long id() {
    return id;
  }

  @Override
  public synchronized boolean offer(Lease frame) throws ShipmentException {
    requireUnderWay();
    if (over) {
      // Committed: a seal that was sent once more is of no use to anybody.
      frame.close();
      return true;
    }
    int bytes = frame.remainingBytes();
    if (inFlightBytes > 0
        && (arrived.size() >= MAX_FRAMES_ON_WIRE
            || inFlightBytes + bytes > options.shipmentCreditBytes()
            || serverInFlightBytes.get() + bytes > options.serverBudgetBytes())) {
      return false;
    }
    ByteBuffer copy = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    copy.put(frame.buffer()).flip();
    inFlightBytes += bytes;
    serverInFlightBytes.addAndGet(bytes);
    arrived.add(copy);
    notifyAll();
    frame.close();
    return true;
  }

  @Override
  public synchronized void awaitReady() throws ShipmentException, InterruptedException {
    long before = releases;
    while (!over && inFlightBytes > 0 && releases == before) {
      wait();
    }
    requireUnderWay();
  }

  @Override
  public void whenReady(Runnable action) {
    ready.add(action);
    boolean now;
    synchronized (this) {
      now = over || inFlightBytes == 0;
    }
    if (now) {
      ready.runAll();
    }
  }

  private void requireUnderWay() throws ShipmentException {
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  public Optional<ResumeTicket> ticket() {
    return Optional.ofNullable(ticket);
  }

  @Override
  public CompletableFuture<Seal> held() {
    return held;
  }

  @Override
  public CompletableFuture<Long> committed() {
    return committed;
  }

  @Override
  public void cancel(ShipmentException cause) {
    abort(cause);
  }

  @Override
  public void close() {
    cancel(new ShipmentException(Fault.CANCELLED, "the worker closed shipment %,d".formatted(id)));
  }

  // The transactor's end, called by the session.

  void completeHeld(Seal seal) {
    held.complete(seal);
  }

  void completeCommitted(long snapshotTimestamp) {
    synchronized (this) {
      if (over) {
        return;
      }
      over = true;
      notifyAll();
    }
    ready.runAll();
    committed.complete(snapshotTimestamp);
  }

  void completeFailed(ShipmentException cause) {
    fail(cause, null);
  }
}
