package io.drayage.transport;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.Fault;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.StoreShare;
import io.drayage.internal.ReadyActions;
import io.drayage.memory.Lease;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Both ends of one shipment. Its thread, in the role of the event loop, gets frames from the
 * threads that offer them. Guarded by its monitor; handler and futures are called without it.
 */
final class LoopbackShipment implements Shipment, ShipmentReplies {
  private static final int MAX_FRAMES_ON_WIRE = 4;

  private final long id;
  private final long creditBytes;
  private final CompletableFuture<Seal> held = new CompletableFuture<>();
  private final CompletableFuture<Long> committed = new CompletableFuture<>();
  private final Queue<ByteBuffer> arrived = new ArrayDeque<>();
  private final ReadyActions ready = new ReadyActions();
  private long inFlightBytes;
  private long releases;
  private boolean over;
  private @Nullable ShipmentException failure;
  private StoreShare store = StoreShare.UNKNOWN;

  /** The reason to pass to the handler at the end. */
  private @Nullable ShipmentException abortCause;

  LoopbackShipment(long id, long creditBytes) {
    this.id = id;
    this.creditBytes = creditBytes;
  }

  /** Passes frames to {@code handler} on a thread of its own, until the shipment is over. */
  void start(ShipmentHandler handler, Runnable onEnd) {
    store = handler.store();
    Thread loop =
        new Thread(
            () -> {
              receive(handler);
              onEnd.run();
            },
            "loopback-" + id);
    loop.setDaemon(true);
    loop.start();
  }

  @Override
  public StoreShare store() {
    return store;
  }

  private void receive(ShipmentHandler handler) {
    for (ByteBuffer next = next(); next != null; next = next()) {
      ByteBuffer frame = next;
      ready.runAll();
      handler.onFrame(new Lease(frame, () -> release(frame)));
    }
    ShipmentException cause;
    synchronized (this) {
      cause = abortCause;
    }
    if (cause != null) {
      handler.onAborted(cause);
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
      return null;
    }
    releases++;
    notifyAll();
    return arrived.remove();
  }

  private void release(ByteBuffer frame) {
    synchronized (this) {
      inFlightBytes -= frame.capacity();
      releases++;
      notifyAll();
    }
    ready.runAll();
  }

  private void end(@Nullable ShipmentException cause, @Nullable ShipmentException forHandler) {
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
    if (cause != null) {
      held.completeExceptionally(cause);
      committed.completeExceptionally(cause);
    }
  }

  @Override
  public long id() {
    return id;
  }

  @Override
  public synchronized boolean offer(Lease frame) throws ShipmentException {
    requireUnderWay();
    int bytes = frame.remainingBytes();
    if (inFlightBytes > 0
        && (arrived.size() >= MAX_FRAMES_ON_WIRE || inFlightBytes + bytes > creditBytes)) {
      return false;
    }
    ByteBuffer copy = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    copy.put(frame.buffer()).flip();
    inFlightBytes += bytes;
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
  public CompletableFuture<Seal> held() {
    return held;
  }

  @Override
  public CompletableFuture<Long> committed() {
    return committed;
  }

  @Override
  public void cancel(ShipmentException cause) {
    end(cause, cause);
  }

  @Override
  public void close() {
    cancel(new ShipmentException(Fault.CANCELLED, format("the worker closed shipment %,d", id)));
  }

  // The transactor's answers.

  @Override
  public long shipmentId() {
    return id;
  }

  @Override
  public void held(Seal seal) {
    held.complete(seal);
  }

  @Override
  public void committed(long snapshotTimestamp) {
    end(null, null);
    committed.complete(snapshotTimestamp);
  }

  @Override
  public void failed(ShipmentException cause) {
    end(cause.statedByPeer(), null);
  }
}
