package io.drayage.transport.netty;

import io.drayage.transport.netty.WireFault.FlowDirection;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.List;

/** One connection through the proxy. For the proxy's thread. */
final class FaultyLink {
  private final SocketChannel worker;
  private final SocketChannel transactor;
  private final FaultyFlow toTransactor;
  private final FaultyFlow toWorker;
  private final SelectionKey workerKey;
  private final SelectionKey transactorKey;

  /** Connects an accepted worker with the transactor. */
  FaultyLink(
      Selector selector, SocketChannel worker, InetSocketAddress target, List<WireFault> faults)
      throws IOException {
    this.worker = worker;
    this.transactor = SocketChannel.open(target);
    this.toTransactor = flow(worker, transactor, FlowDirection.TO_TRANSACTOR, faults);
    this.toWorker = flow(transactor, worker, FlowDirection.TO_WORKER, faults);
    this.workerKey = register(worker, selector);
    this.transactorKey = register(transactor, selector);
  }

  private FaultyFlow flow(
      SocketChannel from, SocketChannel to, FlowDirection direction, List<WireFault> faults) {
    List<WireFault> watched = faults.stream().filter(f -> f.watched() == direction).toList();
    return new FaultyFlow(from, to, watched, this::happen);
  }

  private SelectionKey register(SocketChannel channel, Selector selector) throws IOException {
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.configureBlocking(false);
    return channel.register(selector, SelectionKey.OP_READ, this);
  }

  /** Moves what can be moved in both directions, and says what it waits for. */
  void run(long nowNs) {
    try {
      readIfReady(workerKey, toTransactor);
      readIfReady(transactorKey, toWorker);
      toTransactor.write(nowNs);
      toWorker.write(nowNs);
      if (toTransactor.isEnded() && toWorker.isEnded()) {
        close();
      } else {
        awaitWork(workerKey, toTransactor, toWorker, nowNs);
        awaitWork(transactorKey, toWorker, toTransactor, nowNs);
      }
    } catch (IOException gone) {
      reset(); // Whichever side broke it, the other learns of it in the same way.
    }
  }

  private static void readIfReady(SelectionKey key, FaultyFlow flow) throws IOException {
    if (key.isValid() && key.isReadable() && flow.wantsRead()) {
      flow.read();
    }
  }

  private static void awaitWork(SelectionKey key, FaultyFlow from, FaultyFlow to, long nowNs) {
    if (key.isValid()) {
      int read = from.wantsRead() ? SelectionKey.OP_READ : 0;
      int write = to.wantsWrite(nowNs) ? SelectionKey.OP_WRITE : 0;
      key.interestOps(read | write);
    }
  }

  /** When it goes on without the selector's word. */
  long nanosUntilWrite(long nowNs) {
    return Math.min(toTransactor.nanosUntilWrite(nowNs), toWorker.nanosUntilWrite(nowNs));
  }

  private void happen(WireFault fault) {
    boolean forth = fault.affected() == FlowDirection.TO_TRANSACTOR;
    FaultyFlow flow = forth ? toTransactor : toWorker;
    try {
      switch (fault.kind()) {
        case RESET -> reset();
        case HALF_OPEN -> {
          flow.resetSink();
          (forth ? toWorker : toTransactor).swallow();
        }
        case SILENT_DROP -> flow.swallow();
        case FREEZE -> {
          toTransactor.swallow();
          toWorker.swallow();
        }
        case TRUNCATE -> flow.truncate();
        case FLIP -> flow.flip(fault.amount());
        case LOSE -> flow.lose(fault.amount());
        case THROTTLE -> flow.throttle(fault.amount());
        case DELAY -> flow.delay(fault.amount());
        case SINGLE_BYTES -> flow.singleBytes(fault.amount());
      }
    } catch (IOException gone) {
      reset();
    }
  }

  boolean isOver() {
    return !worker.isOpen() && !transactor.isOpen();
  }

  private void reset() {
    try {
      toTransactor.resetSink();
      toWorker.resetSink();
    } catch (IOException e) {
      close();
    }
  }

  void close() {
    try (worker) {
      transactor.close();
    } catch (IOException e) {
      // It is closed all the same.
    }
  }
}
