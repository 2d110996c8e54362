package io.drayage.transport.netty;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Stands between workers and one transactor and makes faults as it is told. What it does to the
 * bytes of a connection depends on these bytes and on the faults alone. One thread.
 */
final class FaultProxy implements AutoCloseable {
  private static final long MAX_WAIT_MS = 1_000;

  private final InetSocketAddress target;
  private final List<WireFault> faults;
  private final Selector selector;
  private final ServerSocketChannel listener;
  private final List<FaultyLink> links = new ArrayList<>();
  private final Thread thread = new Thread(this::run, "fault-proxy");
  private int connections;
  private volatile boolean closed;

  FaultProxy(InetSocketAddress target, List<WireFault> faults) throws IOException {
    this.target = target;
    this.faults = faults;
    this.selector = Selector.open();
    this.listener = ServerSocketChannel.open();
    listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    listener.configureBlocking(false);
    listener.register(selector, SelectionKey.OP_ACCEPT);
    thread.setDaemon(true);
    thread.start();
  }

  InetSocketAddress address() throws IOException {
    return (InetSocketAddress) listener.getLocalAddress();
  }

  private void run() {
    try (selector;
        listener) {
      while (!closed) {
        acceptAll();
        long nowNs = System.nanoTime();
        links.forEach(link -> link.run(nowNs));
        links.removeIf(FaultyLink::isOver);
        selector.select(FaultProxy::leaveToItsLink, waitMs(nowNs));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      links.forEach(FaultyLink::close);
    }
  }

  /** Every link is asked in any case; the selector only ends the wait. */
  private static void leaveToItsLink(SelectionKey key) {}

  private long waitMs(long nowNs) {
    long waitNs = TimeUnit.MILLISECONDS.toNanos(MAX_WAIT_MS);
    for (FaultyLink link : links) {
      waitNs = Math.min(waitNs, link.nanosUntilWrite(nowNs));
    }
    return Math.max(1, TimeUnit.NANOSECONDS.toMillis(waitNs)); // 0 would be for ever
  }

  private void acceptAll() throws IOException {
    for (SocketChannel worker = listener.accept(); worker != null; worker = listener.accept()) {
      int number = connections++;
      List<WireFault> its = faults.stream().filter(f -> f.connection() == number).toList();
      try {
        links.add(new FaultyLink(selector, worker, target, its));
      } catch (IOException refused) {
        worker.close();
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    selector.wakeup();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
