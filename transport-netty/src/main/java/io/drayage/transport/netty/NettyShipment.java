package io.drayage.transport.netty;

import io.drayage.frame.Accepted;
import io.drayage.frame.Credit;
import io.drayage.frame.Fault;
import io.drayage.frame.Join;
import io.drayage.frame.Joined;
import io.drayage.frame.OpenRequest;
import io.drayage.frame.Seal;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.frame.StoreShare;
import io.drayage.frame.Token;
import io.drayage.internal.Begun;
import io.drayage.internal.FatalErrors;
import io.drayage.memory.Lease;
import io.drayage.metrics.DrayageMetrics;
import io.drayage.transport.ResumeTicket;
import io.drayage.transport.Shipment;
import io.drayage.transport.TransportOptions;
import io.drayage.transport.internal.IdleProducers;
import io.netty.channel.ChannelFuture;
import io.netty.channel.socket.SocketChannel;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.BitSet;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One shipment and its connections, on the worker's side, until one of the connections is lost.
 * Another object of this class resumes the shipment. Any thread queues frames; everything else
 * happens on the event loops of the connections. The first failure wins and ends all futures,
 * queues and connections.
 */
final class NettyShipment implements Shipment {
  /** Makes connections. */
  interface Connector {
    /** Connects, after {@code setUp} has prepared the channel. */
    ChannelFuture connect(Consumer<SocketChannel> setUp);

    /** Returns the kept connections of earlier shipments. */
    KeptConnections idle();

    /** Abandons a shipment, as {@link io.drayage.transport.TransportClient#abandon} does. */
    void abandon(ResumeTicket ticket, ShipmentException cause);
  }

  /** The longest time by which a transactor refuses a small cargo early. */
  private static final Duration MAX_MARGIN = Duration.ofSeconds(1);

  /** Bytes for which a further connection pays. */
  private static final long MIN_BYTES_PER_CONNECTION = 512 << 10;

  private final Connector connector;
  private final ShipmentHeader header;
  private final TransportOptions options;
  private final DrayageMetrics metrics;
  private final Consumer<NettyShipment> whenOver;
  private final WorkerConnections connections = new WorkerConnections();
  private final IdleProducers producers = new IdleProducers();
  private final RequestAnswer opened = new RequestAnswer();
  private final CompletableFuture<Seal> held = new CompletableFuture<>();
  private final CompletableFuture<Long> committed = new CompletableFuture<>();

  /** Set once, by the thread that then sets the failure or completes the commit. */
  private final AtomicBoolean isOver = new AtomicBoolean();

  private volatile @Nullable ShipmentException failure;
  private final AtomicBoolean isAbandoned = new AtomicBoolean();
  private volatile @Nullable ResumeTicket ticket;
  private volatile long number;

  /** Whether the cargo may have arrived over a lost connection, and is sent once more. */
  private volatile boolean mayBeRepeated;

  /** Whether a small cargo was written to any connection. */
  private volatile boolean isWritten;

  /** The time of the latest request with a small cargo, and its longest wait for room. */
  private volatile long requestedNs;

  private Duration patience = Duration.ZERO;

  private volatile StoreShare store = StoreShare.UNKNOWN;

  /** The request's options. Written before the first connection. */
  private OpenRequest wanted = OpenRequest.DEFAULT;

  /** Goes with the request over a kept connection; null unless the cargo is small. */
  private volatile @Nullable SmallCargo smallCargo;

  /** The first frame of the first connection. Written before that connection. */
  private ByteBuffer request = ByteBuffer.allocate(0);

  /** Makes a shipment, which is not opened yet. */
  NettyShipment(
      Connector connector,
      ShipmentHeader header,
      TransportOptions options,
      DrayageMetrics metrics,
      Consumer<NettyShipment> whenOver) {
    this.connector = connector;
    this.header = header;
    this.options = options;
    this.metrics = metrics;
    this.whenOver = whenOver;
  }

  /**
   * Asks the transactor for a new shipment, and waits for its answer. For a small cargo and a kept
   * connection, waits for nothing: the request goes with the cargo, when its seal is offered.
   *
   * @param bytes approximate charge of all frames; 0 if unknown
   * @param patience the longest wait for room
   */
  void open(long bytes, Duration patience) throws ShipmentException, InterruptedException {
    wanted = OpenRequest.of(connectionsFor(bytes), bytes, patience);
    try (Begun begun = new Begun(this::close)) {
      WorkerConnection kept = wanted.connections() == 1 ? connector.idle().poll() : null;
      if (kept != null && wanted.isOfSmallCargo()) {
        this.patience = patience;
        requestedNs = System.nanoTime();
        smallCargo = new SmallCargo(kept);
      } else {
        lead(header.toFrame(wanted), patience, kept);
      }
      begun.keep();
    } catch (ShipmentException e) {
      throw e.withOutcome(ShipmentException.Outcome.NOT_APPLIED); // Only the request was sent.
    }
  }

  private int connectionsFor(long bytes) {
    if (header.pipeline() != ShipmentHeader.Pipeline.SEGMENTS) {
      return 1;
    }
    return bytes == 0
        ? options.connections()
        : (int) Math.min(options.connections(), 1 + (bytes - 1) / MIN_BYTES_PER_CONNECTION);
  }

  /**
   * Makes one attempt to resume a lost shipment. If the attempt fails, the shipment stays as it is
   * for the next attempt. An interrupt cancels the shipment.
   */
  void resume(ResumeTicket lost) throws ShipmentException, InterruptedException {
    ticket = lost;
    wanted = lost.wanted();
    number = lost.shipmentId();
    try {
      lead(new Join(lost.token(), Join.Purpose.RESUME).toFrame(number), lost.window(), null);
    } catch (InterruptedException e) {
      close();
      throw e;
    } catch (ShipmentException | RuntimeException e) {
      detach(ShipmentException.of(e));
      throw e;
    }
  }

  private void lead(ByteBuffer asked, Duration patience, @Nullable WorkerConnection kept)
      throws ShipmentException, InterruptedException {
    request = asked;
    if (kept == null || !Channels.runOn(kept.channel().eventLoop(), () -> reuse(kept))) {
      connect();
    } else if (!opened.isHeardWithin(options.openTimeout().dividedBy(2), patience)) {
      connections.forEach(WorkerConnection::giveUpIfUnheard);
    }
    opened.await(options.openTimeout(), patience);
  }

  private void connect() {
    opened.connecting(connector.connect(channel -> add(channel, request)));
  }

  /** Sends the request with the complete cargo. Does not throw: the cargo owns its frames. */
  private void request(SmallCargo cargo) {
    try {
      Duration waited = Duration.ofNanos(System.nanoTime() - requestedNs);
      patience = patience.minus(waited).minus(marginOf(patience));
      patience = patience.isNegative() ? Duration.ZERO : patience;
      request = header.toFrame(OpenRequest.of(1, wanted.creditBytes(), patience));
      requestedNs = System.nanoTime();
      opened.whenFailed(this::cancel); // Nobody waits for the answer to the request alone.
      WorkerConnection kept = cargo.takeKept();
      if (kept == null || !Channels.runOn(kept.channel().eventLoop(), () -> reuse(kept))) {
        connect();
      }
    } catch (Throwable e) {
      FatalErrors.report(e);
      cancel(ShipmentException.of(e));
    }
  }

  /** Returns the time in which the refusal should come before the end of the patience. */
  private static Duration marginOf(Duration patience) {
    Duration tenth = patience.dividedBy(10);
    return tenth.compareTo(MAX_MARGIN) < 0 ? tenth : MAX_MARGIN;
  }

  /** Sends the request over a kept connection. For the event loop of that connection only. */
  private void reuse(WorkerConnection kept) {
    try {
      if (!kept.channel().isActive()) {
        connect();
        return;
      }
      WorkerConnection connection = new WorkerConnection(kept, this, request, metrics);
      connections.add(connection);
      SmallCargo cargo = smallCargo;
      if (cargo != null && cargo.chargeBytes() <= wanted.creditBytes()) {
        isWritten = true; // Before isOver() is read: a failure from now on knows of it.
      } else {
        cargo = null;
      }
      if (isOver()) {
        connection.close();
      } else if (cargo == null) {
        connection.request();
      } else {
        connection.request(cargo);
      }
    } catch (Throwable e) {
      FatalErrors.report(e);
      cancel(ShipmentException.of(e));
    }
  }

  /**
   * Returns the failure of a request that nobody awaits, if the transactor has not answered in
   * time: within the open timeout, or the patience if it has shown that it lives.
   */
  @Nullable ShipmentException overdue() {
    return smallCargo == null ? null : opened.overdue(requestedNs, options.openTimeout(), patience);
  }

  /** Closes the connections without a CANCEL, which would end the shipment, not the attempt. */
  private void detach(ShipmentException cause) {
    if (fail(cause)) {
      connections.forEach(WorkerConnection::close);
    }
    whenOver.accept(this);
  }

  /** Adds a new connection, or closes it if the shipment is over. */
  private void add(SocketChannel channel, ByteBuffer request) {
    WorkerConnection connection = new WorkerConnection(channel, this, request, options, metrics);
    connections.add(connection);
    connection.attach();
    if (isOver()) {
      connection.close();
    }
  }

  @Override
  public long id() {
    return wanted.isOfSmallCargo() ? 0 : number;
  }

  /** Returns the number that the transactor gave the shipment; 0 before its answer. */
  long number() {
    return number;
  }

  /** Queues a small cargo on a connection that has sent the request alone. Event loop only. */
  void queueCargo(OutboundQueue outbound) {
    SmallCargo cargo = smallCargo;
    if (cargo != null) {
      isWritten = true;
      cargo.queueOn(outbound);
    }
  }

  boolean hasSmallCargo() {
    return smallCargo != null;
  }

  @Override
  public boolean isAccepted() {
    return opened.isAccepted();
  }

  @Override
  public StoreShare store() {
    return store;
  }

  @Override
  public Optional<ResumeTicket> ticket() {
    return Optional.ofNullable(ticket);
  }

  @Override
  public BitSet received() {
    return opened.segments();
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
  public boolean offer(Lease frame) throws ShipmentException {
    requireUnderWay();
    SmallCargo cargo = smallCargo;
    if (cargo == null) {
      return connections.leastLoaded().outbound().offer(frame);
    }
    if (cargo.add(frame)) {
      request(cargo);
    }
    return true;
  }

  @Override
  public void awaitReady() throws ShipmentException, InterruptedException {
    CountDownLatch ready = new CountDownLatch(1);
    whenReady(ready::countDown);
    ready.await();
    requireUnderWay();
  }

  @Override
  public void whenReady(Runnable action) {
    if (smallCargo != null) {
      action.run();
      return;
    }
    connections.leastLoaded().outbound().whenReady(action);
  }

  @Override
  public int producerThreads() {
    return smallCargo == null ? wanted.connections() : 0;
  }

  @Override
  public void whenIdle(Producer producer) {
    producers.add(producer);
    connections.wakeUpIdle();
  }

  /** Returns a producer for a connection that has nothing to write. Event loop only. */
  @Nullable Producer nextProducer(WorkerConnection connection) {
    return connections.mayCarry(connection) ? producers.next() : null;
  }

  private void requireUnderWay() throws ShipmentException {
    ShipmentException cause = failure;
    if (cause != null) {
      throw cause;
    }
  }

  private boolean isOver() {
    return isOver.get();
  }

  /** Returns the least credit that a transactor has to grant each connection. */
  @Override
  public long maxFrameBytes() {
    return wanted.creditBytes() == 0
        ? Credit.MAX_CHARGE_BYTES
        : Math.min(Credit.MAX_CHARGE_BYTES, wanted.creditBytes());
  }

  // The connections call these methods, on their event loops.

  /** Notes that the transactor lives: the request waits for room. */
  void onHeartbeat() {
    opened.waits();
  }

  void onAccepted(Accepted answer) {
    number = answer.shipmentId();
    store = answer.store();
    if (answer.resumeWindowMs() > 0 && !mayBeRepeated) { // A resumed one would not know of it.
      Duration window = Duration.ofMillis(answer.resumeWindowMs());
      ticket = new ResumeTicket(answer.shipmentId(), answer.token(), window, wanted);
    }
    opened.complete(new BitSet());
    addStripes(answer.token(), answer.maxConnections());
  }

  void onJoined(WorkerConnection connection, Joined answer) {
    ResumeTicket shown = ticket;
    if (connections.isLeader(connection) && shown != null) {
      opened.complete(answer.received());
      addStripes(shown.token(), wanted.connections());
    }
  }

  private void addStripes(Token token, int maxConnections) {
    ByteBuffer request = new Join(token, Join.Purpose.STRIPE).toFrame(number);
    int count = isOver() ? 1 : Math.min(wanted.connections(), maxConnections);
    for (int further = 1; further < count; further++) {
      // A stripe that cannot connect does no harm: the others carry its frames.
      ChannelFuture unused = connector.connect(channel -> add(channel, request));
    }
  }

  void onFirstCredit(WorkerConnection connection) {
    connections.onFirstCredit(connection);
  }

  /** Handles the loss of a connection, or the failure that the transactor sent. */
  void onLost(WorkerConnection connection, ShipmentException cause) {
    if (connection.isUnheard()) {
      if (connections.remove(connection)) {
        connection.close();
        if (!isOver()) {
          mayBeRepeated |= connection.hasSentCargo();
          requestedNs = System.nanoTime();
          connect();
        }
      }
    } else if (!connection.isAnswered() && !connections.isLeader(connection)) {
      connections.remove(connection);
      connection.close();
    } else if (fail(cause)) {
      connections.forEach(WorkerConnection::close);
    }
  }

  /** Completes the commit. The next shipment may use the connection before the sender knows. */
  void onCommitted(WorkerConnection connection, long timestamp) {
    if (isOver.getAndSet(true)) {
      return;
    }
    try {
      if (wanted.connections() == 1 && connection.isReusable()) {
        connection.leave();
        if (!connector.idle().keep(connection)) {
          Channels.close(connection.channel());
        }
      }
    } finally {
      endSmallCargo();
      committed.complete(timestamp);
    }
  }

  /** Gives up a kept connection; false if another shipment is about to use it. */
  boolean forget(WorkerConnection kept) {
    return connector.idle().remove(kept);
  }

  /**
   * Fails the shipment, unless it has been committed. A repeated call passes on the first failure
   * again, since the first call may have lacked the memory to notify every waiter.
   *
   * @return whether this is the first failure
   */
  private boolean fail(ShipmentException cause) {
    boolean first = !isOver.getAndSet(true);
    if (first) {
      failure = withOutcome(cause);
    }
    ShipmentException told = failure;
    if (told != null) {
      opened.fail(told);
      held.completeExceptionally(told);
      committed.completeExceptionally(told);
      producers.end(told);
      endSmallCargo();
    }
    return first;
  }

  /** Returns a failure with the outcome of a small cargo, which knows more than its last answer. */
  private ShipmentException withOutcome(ShipmentException cause) {
    if (smallCargo == null) {
      return cause;
    }
    if (!isWritten) {
      return cause.withOutcome(ShipmentException.Outcome.NOT_APPLIED);
    }
    boolean isSettled = !mayBeRepeated || (cause.isStatedByPeer() && cause.fault().isVerdict());
    return isSettled ? cause : cause.withOutcome(ShipmentException.Outcome.UNKNOWN);
  }

  private void endSmallCargo() {
    SmallCargo cargo = smallCargo;
    if (cargo != null) {
      cargo.end();
      WorkerConnection unused = cargo.takeKept();
      if (unused != null && !(unused.channel().isActive() && connector.idle().keep(unused))) {
        Channels.close(unused.channel());
      }
    }
  }

  @Override
  public void cancel(ShipmentException cause) {
    if (fail(cause)) {
      // Over every connection: if the peer saw the end of one first, it would suspend the shipment.
      connections.forEach(connection -> connection.cancel(cause));
    }
  }

  /** Abandons the shipment, once, because a connection could not send its CANCEL. */
  void onUnsaid(ShipmentException cause) {
    ResumeTicket known = ticket;
    if (known != null && !isAbandoned.getAndSet(true)) {
      connector.abandon(known, cause);
    }
  }

  @Override
  public void close() {
    if (failure != null || !committed.isDone()) {
      cancel(new ShipmentException(Fault.CANCELLED, "the worker closed the shipment"));
    }
    if (committed.isDone() && failure == null) {
      connections.forEach(WorkerConnection::close);
    }
    whenOver.accept(this);
  }
}
