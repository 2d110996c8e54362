package io.drayage.transport;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A proxy for TCP connections to one server, which can break them. */
public final class TcpWire implements AutoCloseable {
  private static final int BUFFER_BYTES = 64 << 10;

  /** Carries the bytes of one direction of a connection, up to the end of {@code from}. */
  public interface Carrier {
    void carry(int connection, Socket from, Socket to, boolean forth) throws IOException;
  }

  private final InetSocketAddress target;
  private final Carrier carrier;
  private final ServerSocket listener;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private final List<Socket> clients = new CopyOnWriteArrayList<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile boolean frozen;
  private volatile CountDownLatch accepting = new CountDownLatch(0);

  public TcpWire(InetSocketAddress target) {
    this(target, 64);
  }

  /** A wire whose backlog has room for this many connections. */
  public TcpWire(InetSocketAddress target, int backlog) {
    this(target, backlog, null);
  }

  /**
   * A wire that damages the bytes it carries.
   *
   * @param carrier null if nothing is damaged
   */
  public TcpWire(InetSocketAddress target, int backlog, @Nullable Carrier carrier) {
    this.target = target;
    this.carrier = carrier == null ? this::copy : carrier;
    try {
      this.listener = new ServerSocket(0, backlog, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    start("wire-accept", this::accept);
  }

  /** The address for clients. */
  public InetSocketAddress address() {
    return (InetSocketAddress) listener.getLocalSocketAddress();
  }

  private void accept() throws IOException {
    while (true) {
      Socket client = listener.accept();
      await(accepting);
      sockets.add(client);
      int number = clients.size();
      clients.add(client);
      Socket server = new Socket(target.getAddress(), target.getPort());
      sockets.add(server);
      AtomicInteger open = new AtomicInteger(2);
      start("wire-out", () -> pump(number, client, server, true, open));
      start("wire-in", () -> pump(number, server, client, false, open));
      if (closed.getCount() == 0) {
        cut();
      }
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError("nobody interrupts this thread", e);
    }
  }

  /** Leaves new connections and their bytes in the backlog, until {@link #endOutage}. */
  public void beginOutage() {
    accepting = new CountDownLatch(1);
  }

  /** Carries the connections in the backlog, and all new ones. */
  public void endOutage() {
    accepting.countDown();
  }

  /** Carries one direction. Its end also ends it on the other side; the other direction goes on. */
  private void pump(int number, Socket from, Socket to, boolean forth, AtomicInteger open)
      throws IOException {
    try {
      to.setTcpNoDelay(true);
      carrier.carry(number, from, to, forth);
    } catch (IOException e) {
      open.set(1); // Broken: both directions end.
      throw e;
    } finally {
      if (open.decrementAndGet() == 0) {
        from.close();
        to.close();
      }
    }
  }

  private void copy(int number, Socket from, Socket to, boolean forth) throws IOException {
    InputStream in = from.getInputStream();
    OutputStream out = to.getOutputStream();
    byte[] buffer = new byte[BUFFER_BYTES];
    int bytes = in.read(buffer);
    while (bytes >= 0) {
      if (frozen) {
        await(closed);
        return;
      }
      out.write(buffer, 0, bytes);
      bytes = in.read(buffer);
    }
    to.shutdownOutput();
  }

  /** Number of current connections. */
  public int connections() {
    return clients.size();
  }

  /** Breaks the oldest connection. */
  public void cutFirst() {
    reset(clients.get(0));
  }

  /** Stops all bytes in both directions, without breaking a connection. */
  public void freeze() {
    frozen = true;
  }

  /** Breaks all connections, in both directions, as when a host dies. */
  public void cut() {
    sockets.forEach(TcpWire::reset);
  }

  /** Breaks a connection at one end. */
  public static void reset(Socket socket) {
    try {
      if (!socket.isClosed()) {
        socket.setSoLinger(true, 0);
      }
      socket.close();
    } catch (IOException e) {
      // Its pump may close it at the same moment.
      if (!socket.isClosed()) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Override
  public void close() {
    closed.countDown();
    accepting.countDown();
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    cut();
  }

  private static void start(String name, Pump pump) {
    Thread thread =
        new Thread(
            () -> {
              try {
                pump.run();
              } catch (IOException e) {
                // The end of a connection, or of the wire.
              }
            },
            name);
    thread.setDaemon(true);
    thread.start();
  }

  private interface Pump {
    void run() throws IOException;
  }
}
