package io.drayage.simulation;

import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.FrameType;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.frame.TransactionAnswer;
import io.drayage.frame.TransactionRequest;
import io.drayage.internal.ReadyActions;
import io.drayage.memory.Lease;
import io.drayage.transport.Shipment;
import io.drayage.transport.ShipmentAcceptor;
import io.drayage.transport.ShipmentHandler;
import io.drayage.transport.ShipmentReplies;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One shipment over one connection of a {@link SimNetwork}. */
final class SimConnection {
  private static final int LATEST_NEWS_MS = 2_000;

  /** A peer that is stopped for this time does not show that it is alive. */
  private static final long SILENCE_MS = 30_000;

  final ClientEnd client = new ClientEnd();
  private final SimNetwork network;
  private final long id;
  private final String worker;
  private final String transactor;
  private final long creditBytes;
  private final ServerEnd server = new ServerEnd();
  private final CompletableFuture<ClientEnd> accepted = new CompletableFuture<>();
  private long lastToServerNs;
  private long lastToClientNs;
  private boolean broken;
  private Consumer<ShipmentException> whenBroken = unused -> {};

  SimConnection(SimNetwork network, long id, String worker, String transactor, long creditBytes) {
    this.network = network;
    this.id = id;
    this.worker = worker;
    this.transactor = transactor;
    this.creditBytes = creditBytes;
  }

  boolean isOf(String host) {
    return host.equals(worker) || host.equals(transactor);
  }

  /** Whether its shipment has a place, and no answer yet. */
  boolean isUnderWay() {
    return server.handler != null && !server.over;
  }

  Shipment open(ShipmentAcceptor acceptor, ShipmentHeader header)
      throws ShipmentException, InterruptedException {
    toServer(() -> server.accept(acceptor, header));
    try {
      return accepted.get();
    } catch (ExecutionException e) {
      ShipmentException cause = (ShipmentException) e.getCause();
      throw new ShipmentException(cause.fault(), String.valueOf(cause.getMessage()), cause);
    }
  }

  /** Sends one request and waits for its answer. */
  TransactionAnswer ask(ShipmentAcceptor acceptor, TransactionRequest request, Duration patience)
      throws ShipmentException, InterruptedException {
    CompletableFuture<TransactionAnswer> answer = new CompletableFuture<>();
    whenBroken = cause -> answer.completeExceptionally(cause);
    toServer(
        () -> {
          var unused =
              acceptor
                  .ask(request)
                  .whenComplete(
                      (settled, failure) ->
                          toClient(
                              () -> {
                                if (network.losesAnswer()) {
                                  breakUp(Fault.PEER_GONE);
                                  return;
                                }
                                network.forget(this);
                                if (settled == null) {
                                  answer.completeExceptionally(
                                      ShipmentException.of(TransactionAnswer.cause(failure))
                                          .statedByPeer());
                                } else {
                                  answer.complete(settled);
                                }
                              }));
        });
    long silentMs = Math.min(patience.toMillis(), SILENCE_MS);
    long unusedNs =
        network.deliver(
            worker,
            worker,
            network.scheduler.nowNs() + silentMs * 1_000_000,
            () ->
                answer.completeExceptionally(
                    new ShipmentException(Fault.PEER_SILENT, "there was no answer")));
    try {
      return answer.get();
    } catch (ExecutionException e) {
      ShipmentException cause = (ShipmentException) e.getCause();
      throw cause.isStatedByPeer()
          ? cause.again()
          : cause.withOutcome(ShipmentException.Outcome.UNKNOWN);
    }
  }

  /** Loses everything under way. Each end is notified some time later. */
  void breakUp(Fault fault) {
    if (broken) {
      return;
    }
    broken = true;
    network.forget(this);
    ShipmentException cause = new ShipmentException(fault, "the connection broke");
    later(
        worker,
        () -> {
          client.end(cause);
          whenBroken.accept(cause);
        });
    later(transactor, () -> server.abort(cause));
  }

  private void later(String host, Runnable told) {
    long ms = network.random.nextInt(LATEST_NEWS_MS);
    long unused = network.deliver(host, host, network.scheduler.nowNs() + ms * 1_000_000, told);
  }

  private void toServer(Runnable task) {
    lastToServerNs = network.deliver(worker, transactor, lastToServerNs, unlessBroken(task));
  }

  private void toClient(Runnable task) {
    lastToClientNs = network.deliver(transactor, worker, lastToClientNs, unlessBroken(task));
  }

  private Runnable unlessBroken(Runnable task) {
    return () -> {
      if (!broken) {
        task.run();
      }
    };
  }

  /** The worker's end. */
  final class ClientEnd implements Shipment {
    private final CompletableFuture<Seal> held = new CompletableFuture<>();
    private final CompletableFuture<Long> committed = new CompletableFuture<>();
    private final ReadyActions ready = new ReadyActions();
    private final List<ByteBuffer> sent = new ArrayList<>();
    private long inFlightBytes;

    /** Receives all frames once the seal is sent; null without a receiver. */
    @Nullable Consumer<List<ByteBuffer>> whenSealed;

    private boolean over;
    private @Nullable ShipmentException failure;

    @Override
    public long id() {
      return id;
    }

    @Override
    public synchronized boolean offer(Lease frame) throws ShipmentException {
      requireUnderWay();
      int bytes = frame.remainingBytes();
      if (inFlightBytes > 0 && inFlightBytes + bytes > creditBytes) {
        return false;
      }
      ByteBuffer copy = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
      copy.put(frame.buffer()).flip();
      frame.close();
      inFlightBytes += bytes;
      toServer(() -> server.receive(copy.duplicate().order(ByteOrder.LITTLE_ENDIAN), bytes));
      sent.add(copy);
      if (network.strays()) {
        ByteBuffer stray = sent.get(network.random.nextInt(sent.size())).duplicate();
        toServer(() -> server.receive(stray.order(ByteOrder.LITTLE_ENDIAN), 0));
      }
      if (whenSealed != null && FrameHeader.type(copy) == FrameType.SEAL) {
        whenSealed.accept(List.copyOf(sent));
      }
      return true;
    }

    private void released(int bytes) {
      synchronized (this) {
        inFlightBytes -= bytes;
        notifyAll();
      }
      ready.runAll();
    }

    private void requireUnderWay() throws ShipmentException {
      if (failure != null) {
        throw failure;
      }
    }

    @Override
    public synchronized void awaitReady() throws ShipmentException, InterruptedException {
      long before = inFlightBytes;
      while (!over && inFlightBytes > 0 && inFlightBytes >= before) {
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

    void end(@Nullable ShipmentException cause) {
      synchronized (this) {
        if (over) {
          return;
        }
        over = true;
        failure = cause;
        notifyAll();
      }
      ready.runAll();
      if (cause != null) {
        accepted.completeExceptionally(cause);
        held.completeExceptionally(cause);
        committed.completeExceptionally(cause);
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
      toServer(() -> server.abort(cause));
      end(cause);
    }

    @Override
    public void close() {
      cancel(new ShipmentException(Fault.CANCELLED, "the worker closed the shipment"));
    }
  }

  /** The transactor's end. */
  private final class ServerEnd implements ShipmentReplies {
    private @Nullable ShipmentHandler handler;
    private boolean over;

    void accept(ShipmentAcceptor acceptor, ShipmentHeader header) {
      try {
        handler = acceptor.accept(header, this);
        toClient(() -> accepted.complete(client));
      } catch (ShipmentException e) {
        failed(e);
      }
    }

    void receive(ByteBuffer frame, int bytes) {
      ShipmentHandler receiver = handler;
      if (receiver != null && !over) {
        receiver.onFrame(new Lease(frame, () -> toClient(() -> client.released(bytes))));
      }
    }

    void abort(ShipmentException cause) {
      ShipmentHandler receiver = handler;
      if (receiver != null && end()) {
        receiver.onAborted(cause);
      }
    }

    private synchronized boolean end() {
      boolean first = !over;
      over = true;
      return first;
    }

    @Override
    public long shipmentId() {
      return id;
    }

    @Override
    public void held(Seal seal) {
      toClient(() -> client.held.complete(seal));
    }

    @Override
    public void committed(long snapshotTimestamp) {
      if (end()) {
        toClient(
            () -> {
              if (network.losesAnswer()) {
                breakUp(Fault.PEER_GONE);
                return;
              }
              client.end(null);
              client.committed.complete(snapshotTimestamp);
              network.forget(SimConnection.this);
            });
      }
    }

    @Override
    public void failed(ShipmentException cause) {
      if (end()) {
        toClient(
            () -> {
              client.end(cause.statedByPeer());
              network.forget(SimConnection.this);
            });
      }
    }
  }
}
