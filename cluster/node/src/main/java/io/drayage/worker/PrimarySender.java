package io.drayage.worker;

import io.drayage.cargo.ChangeCargo;
import io.drayage.coordination.Coordination;
import io.drayage.coordination.CoordinationException;
import io.drayage.coordination.PrimaryInfo;
import io.drayage.coordination.Registration;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.TransactionAnswer;
import io.drayage.frame.TransactionRequest;
import io.drayage.internal.Begun;
import io.drayage.internal.DaemonThreads;
import io.drayage.internal.Waits;
import io.drayage.send.CargoSender;
import io.drayage.send.SendOptions;
import io.drayage.send.SendReport;
import io.drayage.transport.HostPort;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Sends cargoes to the current primary. When another primary is elected, abandons shipments to the
 * former one at once, without a try to resume them. Thread-safe.
 */
final class PrimarySender implements AutoCloseable {
  private final Coordination coordination;
  private final Function<InetSocketAddress, CargoSender> connect;
  private final Registration watch;

  /** Guarded by this. */
  private @Nullable Connected connected;

  /** Guarded by this. */
  private boolean closed;

  /** The epoch of the last primary tried, and the newest known epoch. Guarded by this. */
  private long triedEpoch;

  private long newestEpoch;

  /**
   * A cargo that was acknowledged.
   *
   * @param epoch of the primary that received it
   */
  record Sent(SendReport report, long epoch) {}

  private record Connected(PrimaryInfo primary, CargoSender sender) {}

  PrimarySender(Coordination coordination, Function<InetSocketAddress, CargoSender> connect)
      throws CoordinationException {
    this.coordination = coordination;
    this.connect = connect;
    this.watch = coordination.watchPrimary(this::elected);
  }

  /**
   * Sends a cargo once.
   *
   * @throws ShipmentException as {@link CargoSender#send}; {@code PEER_GONE} if there is no primary
   * @throws IOException if the coordination cannot be reached
   */
  Sent send(ChangeCargo cargo, SendOptions options) throws IOException, InterruptedException {
    PrimaryInfo primary = primary();
    return new Sent(use(primary).send(cargo, options), primary.epoch());
  }

  /**
   * Sends a request for a transaction of several workers once.
   *
   * @throws ShipmentException as {@link CargoSender#ask}; {@code PEER_GONE} if there is no primary
   * @throws IOException if the coordination cannot be reached
   */
  TransactionAnswer ask(TransactionRequest request, Duration patience)
      throws IOException, InterruptedException {
    return use(primary()).ask(request, patience);
  }

  private PrimaryInfo primary() throws IOException {
    return coordination
        .primary()
        .orElseThrow(() -> new ShipmentException(Fault.PEER_GONE, "no transactor is primary now"));
  }

  private synchronized void elected(PrimaryInfo primary) {
    newestEpoch = Math.max(newestEpoch, primary.epoch());
    dropBefore(primary);
    notifyAll();
  }

  /**
   * Waits for another primary than the last one tried.
   *
   * @return false if there was none within the timeout
   */
  synchronized boolean awaitOther(long timeoutMs) throws InterruptedException {
    long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
    Waits.until(this, endNs, () -> closed || newestEpoch > triedEpoch);
    return !closed && newestEpoch > triedEpoch;
  }

  private CargoSender use(PrimaryInfo primary) throws ShipmentException {
    CargoSender known = known(primary);
    if (known != null) {
      return known;
    }
    // Resolves the host and reads files, so not with the monitor, for which watches wait.
    CargoSender made = connect.apply(HostPort.parse(primary.node().address()));
    try (Begun begun = new Begun(made::close)) {
      CargoSender used = useOrKnown(new Connected(primary, made));
      return used == made ? begun.keep(used) : used;
    }
  }

  private synchronized @Nullable CargoSender known(PrimaryInfo primary) throws ShipmentException {
    triedEpoch = Math.max(triedEpoch, primary.epoch());
    if (closed) {
      throw new ShipmentException(Fault.REFUSED, "the worker is closed");
    }
    Connected current = connected;
    return current == null || current.primary.epoch() < primary.epoch() ? null : current.sender;
  }

  /** Uses the new sender, unless another thread has connected meanwhile. */
  private synchronized CargoSender useOrKnown(Connected made) throws ShipmentException {
    CargoSender known = known(made.primary);
    if (known != null) {
      return known;
    }
    dropBefore(made.primary);
    connected = made;
    return made.sender;
  }

  /** Closes an older sender on a new thread, because ending its threads may take a while. */
  private synchronized void dropBefore(PrimaryInfo primary) {
    Connected current = connected;
    if (current != null && current.primary.epoch() < primary.epoch()) {
      connected = null;
      new DaemonThreads("drayage-drop-sender").newThread(current.sender::close).start();
    }
  }

  @Override
  public void close() {
    watch.close();
    Connected current;
    synchronized (this) {
      closed = true;
      notifyAll();
      current = connected;
      connected = null;
    }
    if (current != null) {
      current.sender.close();
    }
  }
}
