package io.drayage.transport.netty;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.netty.channel.ChannelFuture;
import java.time.Duration;
import java.util.BitSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The transactor's answer to a request, and the sender's wait for it. The sender waits for the
 * usual time. Once the transactor has shown that it lives, the request waits for room, and the
 * sender waits for its patience. Thread-safe.
 */
final class RequestAnswer {
  /** Time beyond the patience in which the transactor can answer that there was no room. */
  private static final Duration GRACE = Duration.ofSeconds(1);

  private final CompletableFuture<BitSet> received = new CompletableFuture<>();

  /** The latest connection that was made for the request; null if the request uses a kept one. */
  private volatile @Nullable ChannelFuture connected;

  private volatile long connectedNs = System.nanoTime();
  private volatile boolean waits;

  /** Sets the connection that the request uses once it is made. */
  void connecting(ChannelFuture connection) {
    connectedNs = System.nanoTime();
    connected = connection;
    connection.addListener(
        done -> {
          connectedNs = System.nanoTime();
          if (!done.isSuccess()) {
            fail(cannotConnect(done.cause()));
          }
        });
  }

  private static ShipmentException cannotConnect(Throwable cause) {
    return new ShipmentException(
        Fault.PEER_GONE, "cannot connect: %s".formatted(cause.getMessage()), cause);
  }

  /** Notes that the transactor lives, but has not answered yet. */
  void waits() {
    waits = true;
  }

  /** Completes with the acceptance, and with the segments that the transactor has. */
  void complete(BitSet segments) {
    received.complete(segments);
  }

  boolean isAccepted() {
    return received.isDone() && !received.isCompletedExceptionally();
  }

  /** Fails the request. */
  void fail(ShipmentException cause) {
    received.completeExceptionally(cause);
  }

  /** Calls back if the request fails, on the thread that fails it. */
  void whenFailed(Consumer<ShipmentException> action) {
    var unused =
        received.whenComplete(
            (segments, failure) -> {
              if (failure != null) {
                action.accept(ShipmentException.of(failure));
              }
            });
  }

  /** Returns the segments that the transactor had when it answered. Only after the answer. */
  BitSet segments() {
    return received.join();
  }

  /** Checks whether anything came within this time, or patience ended. Not for event loops. */
  boolean isHeardWithin(Duration time, Duration patience) throws InterruptedException {
    return patience.compareTo(time) < 0 || isThere(time.toNanos()) || waits;
  }

  /**
   * Waits for the connection and then for the answer.
   *
   * @param openTimeout the limit for a connection, and for the answer of a transactor with room
   * @param patience the longest wait of the request for room
   * @throws ShipmentException the failure; {@code PEER_GONE} if it cannot connect, {@code
   *     PEER_SILENT} if there was no answer
   */
  void await(Duration openTimeout, Duration patience)
      throws ShipmentException, InterruptedException {
    long mostNs = Math.min(TimeUnit.NANOSECONDS.convert(patience), Long.MAX_VALUE / 2);
    long patientNs = mostNs + GRACE.toNanos();
    long openNs = Math.min(openTimeout.toNanos(), patientNs);
    long beganNs = System.nanoTime();
    boolean done = isThere(openNs);
    long sinceNs = connectedNs; // The answer may take as long as the connection took.
    if (!done && sinceNs - beganNs > 0) {
      done = isThere(sinceNs - beganNs);
    }
    if (!done && waits) {
      openNs = Math.max(openNs, patientNs);
      done = isThere(beganNs + openNs - System.nanoTime());
    }
    if (!done) {
      throw silence(openNs);
    }
    try {
      BitSet unused = received.get();
    } catch (ExecutionException e) {
      throw ShipmentException.of(e.getCause());
    }
  }

  /** Returns the failure of a request for which nobody waits; null as long as it is not overdue. */
  @Nullable ShipmentException overdue(long requestedNs, Duration openTimeout, Duration patience) {
    Duration most = waits ? patience.plus(GRACE) : openTimeout;
    Duration longest = most.compareTo(openTimeout) < 0 ? openTimeout : most;
    boolean isDue = Duration.ofNanos(System.nanoTime() - requestedNs).compareTo(longest) > 0;
    return isDue && !received.isDone() ? silence(longest.toNanos()) : null;
  }

  private ShipmentException silence(long ns) {
    long ms = TimeUnit.NANOSECONDS.toMillis(ns);
    ChannelFuture connection = connected;
    if (connection != null && !connection.isSuccess()) {
      return cannotConnect(new TimeoutException("no answer in " + ms + " ms"));
    }
    return new ShipmentException(
        Fault.PEER_SILENT,
        format(
            "%s did not answer the request within %,d ms",
            connection == null ? "the transactor" : connection.channel().remoteAddress(), ms));
  }

  private boolean isThere(long timeoutNs) throws InterruptedException {
    try {
      BitSet unused = received.get(timeoutNs, TimeUnit.NANOSECONDS);
      return true;
    } catch (ExecutionException failed) {
      return true;
    } catch (TimeoutException e) {
      return false;
    }
  }
}
