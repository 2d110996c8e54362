package io.drayage.simulation;

import io.drayage.frame.Acknowledgement;
import io.drayage.frame.CommitOptions;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.frame.TransactionAnswer;
import io.drayage.frame.TransactionRequest;
import io.drayage.memory.Lease;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.simulation.kernel.SimScheduler;
import io.drayage.transport.Shipment;
import io.drayage.transport.ShipmentAcceptor;
import io.drayage.transport.Transport;
import io.drayage.transport.TransportClient;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.TransportServer;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;

/**
 * Connects hosts. Data on a connection arrives late, in order, and on a thread of the receiving
 * host, until the connection breaks. Each end is notified of that at its own time. A host that is
 * cut off neither receives nor sends.
 */
final class SimNetwork {
  private static final long MS = 1_000_000;
  private static final int SLOWEST_MS = 5;
  private static final int LATEST_REPEAT_MS = 300;

  /** Interval of the retries of lost data. */
  private static final long REPEAT_NS = 50 * MS;

  final SimScheduler scheduler;
  final SplittableRandom random;
  private final Map<Integer, Server> servers = new HashMap<>();
  private final Map<String, Loop> loops = new HashMap<>();
  private final Set<String> cut = new HashSet<>();

  /** Data that waits until no host is cut off, in the order in which it would have arrived. */
  private final List<Delayed> delayed = new ArrayList<>();

  private final BiConsumer<ShipmentHeader, Long> whenRepeated;
  private final List<SimConnection> connections = new ArrayList<>();
  private int lastNumber;

  /** Number of repeated shipments, by host. */
  private final Map<String, Integer> repeated = new HashMap<>();

  private int repeatPercent;
  private int strayPercent;

  /**
   * @param whenRepeated receives a repeated shipment that is committed, and its snapshot
   */
  SimNetwork(
      SimScheduler scheduler,
      SplittableRandom random,
      BiConsumer<ShipmentHeader, Long> whenRepeated) {
    this.whenRepeated = whenRepeated;
    this.scheduler = scheduler;
    this.random = random;
  }

  /** Returns the transport of a host. */
  Transport of(String host) {
    return new Host(host);
  }

  /** Cuts a host off; its connections break if that lasts. */
  void cut(String host) {
    cut.add(host);
    scheduler.at(
        scheduler.nowNs() + random.nextLong(1_000, 8_000) * MS,
        () -> {
          if (cut.contains(host)) {
            breakAllOf(host, Fault.PEER_SILENT);
          }
        });
  }

  /**
   * @param repeat percentage of shipments and requests that are sent again while they are under
   *     way; half as many answers are lost
   * @param stray percentage of frames with a frame that should not come
   */
  void trouble(int repeat, int stray) {
    repeatPercent = repeat;
    strayPercent = stray;
  }

  /** Whether to lose an answer. Some are lost while shipments are repeated. */
  boolean losesAnswer() {
    boolean loses = random.nextInt(200) < repeatPercent;
    if (loses) {
      scheduler.count("answer lost");
    }
    return loses;
  }

  boolean strays() {
    return random.nextInt(100) < strayPercent;
  }

  /** Connects all hosts again. Data that was sent meanwhile arrives with its next retry. */
  void heal() {
    cut.clear();
    List<Delayed> sent = List.copyOf(delayed);
    delayed.clear();
    for (Delayed each : sent) {
      long lateNs = scheduler.nowNs() - each.sinceNs;
      long repeatedNs = Math.max(1, (lateNs + REPEAT_NS - 1) / REPEAT_NS) * REPEAT_NS;
      scheduler.at(each.sinceNs + repeatedNs, () -> arrive(each.from, each.to, each.task));
    }
  }

  /** Breaks the connections of a host, as if it had crashed. */
  void breakAllOf(String host, Fault fault) {
    for (SimConnection connection : List.copyOf(connections)) {
      if (connection.isOf(host)) {
        connection.breakUp(fault);
      }
    }
  }

  /** Number of shipments that have a place. */
  long underWay() {
    return connections.stream().filter(SimConnection::isUnderWay).count();
  }

  void forget(SimConnection connection) {
    connections.remove(connection);
  }

  /** Runs {@code task} on the receiver's thread, later. */
  long deliver(String from, String to, long notBeforeNs, Runnable task) {
    long atNs = Math.max(notBeforeNs, scheduler.nowNs() + random.nextLong(SLOWEST_MS * MS)) + 1;
    scheduler.at(atNs, () -> arrive(from, to, task));
    return atNs;
  }

  private void arrive(String from, String to, Runnable task) {
    if (cut.contains(from) || cut.contains(to)) {
      delayed.add(new Delayed(from, to, scheduler.nowNs(), task));
    } else {
      loop(to).post(task);
    }
  }

  /**
   * Number of shipments of a host that were sent again. Such a shipment may take effect although
   * its sender was notified of a failure and sends no more.
   */
  int repeated(String host) {
    return repeated.getOrDefault(host, 0);
  }

  /** Sends a shipment again, to any node that listens, with another answer. */
  private void repeat(String host, ShipmentHeader header, List<ByteBuffer> frames) {
    repeated.merge(host, 1, Integer::sum);
    Acknowledgement[] levels = Acknowledgement.values();
    CommitOptions options = header.options();
    CommitOptions how =
        new CommitOptions(
            levels[random.nextInt(levels.length)],
            options.onConflict(),
            options.database(),
            options.baseChecksum(),
            options.fragment());
    ShipmentHeader again =
        new ShipmentHeader(
            header.transactionId(),
            header.baseSnapshot(),
            header.pipeline(),
            header.serializerId(),
            header.compressorId(),
            how,
            header.worker());
    scheduler.newThread(host, "repeat-" + host, () -> send(host, again, frames)).start();
  }

  private void send(String host, ShipmentHeader header, List<ByteBuffer> frames) {
    try {
      Thread.sleep(random.nextInt(LATEST_REPEAT_MS));
      List<Server> up = List.copyOf(servers.values());
      Server server = up.get(random.nextInt(up.size()));
      SimConnection connection =
          new SimConnection(this, ++lastNumber, host, server.host, Long.MAX_VALUE);
      connections.add(connection);
      Shipment shipment = connection.open(server.acceptor, header);
      for (ByteBuffer frame : frames) {
        boolean unused = shipment.offer(new Lease(frame.duplicate(), () -> {}));
      }
      long timestamp = shipment.committed().get();
      whenRepeated.accept(header, timestamp);
    } catch (ShipmentException | ExecutionException | InterruptedException e) {
      if (header.options().fragment() == null
          && String.valueOf(e.getMessage()).contains("ended meanwhile")) {
        throw new AssertionError(header + " was committed, and is not told so", e);
      }
      scheduler.trace(2);
    }
  }

  private Loop loop(String host) {
    return loops.computeIfAbsent(host, Loop::new);
  }

  /** Plays the event loop of a host. */
  private final class Loop implements Runnable {
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private final Thread thread;

    Loop(String host) {
      thread = scheduler.newThread(host, "loop-" + host, this);
      thread.start();
    }

    void post(Runnable task) {
      tasks.add(task);
      LockSupport.unpark(thread);
    }

    @Override
    public void run() {
      while (true) {
        Runnable next = tasks.poll();
        if (next == null) {
          LockSupport.park();
        } else {
          next.run();
        }
      }
    }
  }

  private record Delayed(String from, String to, long sinceNs, Runnable task) {}

  private record Server(String host, ShipmentAcceptor acceptor) {}

  private final class Host implements Transport {
    private final String host;

    Host(String host) {
      this.host = host;
    }

    @Override
    public String name() {
      return "simulated";
    }

    @Override
    public TransportServer listen(
        InetSocketAddress address,
        ShipmentAcceptor acceptor,
        TransportOptions options,
        DrayageMetrics metrics) {
      int port = ++lastNumber;
      servers.put(port, new Server(host, acceptor));
      return new TransportServer() {
        @Override
        public InetSocketAddress address() {
          return InetSocketAddress.createUnresolved(host, port);
        }

        @Override
        public void close() {
          servers.remove(port);
          breakAllOf(host, Fault.PEER_GONE);
        }
      };
    }

    @Override
    public TransportClient client(
        InetSocketAddress address, TransportOptions options, DrayageMetrics metrics) {
      return new Client(host, address, options.shipmentCreditBytes());
    }
  }

  private final class Client implements TransportClient {
    private final String host;
    private final InetSocketAddress address;
    private final long creditBytes;
    private final List<SimConnection> opened = new ArrayList<>();
    private boolean closed;

    Client(String host, InetSocketAddress address, long creditBytes) {
      this.host = host;
      this.address = address;
      this.creditBytes = creditBytes;
    }

    private SimConnection connect() throws ShipmentException, InterruptedException {
      Thread.sleep(random.nextInt(SLOWEST_MS));
      Server server = servers.get(address.getPort());
      if (closed) {
        throw new ShipmentException(Fault.CANCELLED, "the client is closed");
      }
      if (server == null || scheduler.isCrashed(server.host) || cut.contains(server.host)) {
        throw new ShipmentException(Fault.PEER_GONE, "nobody listens at " + address);
      }
      SimConnection connection =
          new SimConnection(SimNetwork.this, ++lastNumber, host, server.host, creditBytes);
      connections.add(connection);
      opened.add(connection);
      return connection;
    }

    private ShipmentAcceptor acceptor() throws ShipmentException {
      Server server = servers.get(address.getPort());
      if (server == null) {
        throw new ShipmentException(Fault.PEER_GONE, "nobody listens at " + address);
      }
      return server.acceptor;
    }

    /** Sends a request, sometimes twice; one answer is not read then. */
    @Override
    public TransactionAnswer ask(TransactionRequest request, Duration patience)
        throws ShipmentException, InterruptedException {
      boolean twice =
          !(request instanceof TransactionRequest.Begin) && random.nextInt(100) < repeatPercent;
      if (twice) {
        scheduler.count(request.getClass().getSimpleName() + " twice");
        SimConnection other = connect();
        ShipmentAcceptor acceptor = acceptor();
        scheduler
            .newThread(
                host,
                "repeat-" + host,
                () -> {
                  try {
                    TransactionAnswer unused = other.ask(acceptor, request, patience);
                  } catch (ShipmentException | InterruptedException e) {
                    scheduler.trace(3);
                  }
                })
            .start();
      }
      SimConnection connection = connect();
      return connection.ask(acceptor(), request, patience);
    }

    @Override
    public Shipment open(ShipmentHeader header) throws ShipmentException, InterruptedException {
      SimConnection connection = connect();
      if (random.nextInt(100) < repeatPercent) {
        scheduler.count(header.options().fragment() == null ? "cargo twice" : "fragment twice");
        connection.client.whenSealed = frames -> repeat(host, header, frames);
      }
      return connection.open(acceptor(), header);
    }

    @Override
    public void close() {
      closed = true;
      opened.forEach(
          connection ->
              connection.client.cancel(
                  new ShipmentException(Fault.CANCELLED, "the client was closed")));
    }
  }
}
