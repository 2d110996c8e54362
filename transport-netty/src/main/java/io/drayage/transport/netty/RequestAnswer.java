package io.drayage.transport.netty;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.netty.channel.ChannelFuture;
import java.time.Duration;
import java.util.BitSet;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The transactor's answer to a request, and how long its sender waits for it: for the usual time,
 * or for as long as it likes once the transactor has shown that it lives, for then the request
 * waits for room. Thread-safe.
 */
final class RequestAnswer {
  /** What the transactor may take beyond the patience to say that there was no room. */
  private static final Duration GRACE = Duration.ofSeconds(1);

  private final CompletableFuture<BitSet> received = new CompletableFuture<>();
  private volatile boolean waits;

  private static long saturatedNs(Duration patience) {
    Duration most = Duration.ofNanos(Long.MAX_VALUE / 2);
    return (patience.compareTo(most) < 0 ? patience : most).plus(GRACE).toNanos();
  }

  /** The transactor lives, though it has not answered. */
  void waits() {
    waits = true;
  }

  /** It was accepted; the segments that the transactor has. */
  void complete(BitSet segments) {
    received.complete(segments);
  }

  void fail(ShipmentException cause) {
    received.completeExceptionally(cause);
  }

  /** The segments that the transactor had when it answered. Not before it has. */
  BitSet segments() {
    return received.join();
  }

  /**
   * Waits for the connection and then for the answer.
   *
   * @param openTimeout how long a connection, and the answer of a transactor with room, may take
   * @param patience how long the request may wait for room
   * @throws ShipmentException the failure; {@code PEER_GONE} if it cannot connect, {@code
   *     PEER_SILENT} if there was no answer
   */
  void await(ChannelFuture connected, Duration openTimeout, Duration patience)
      throws ShipmentException, InterruptedException {
    long patientNs = saturatedNs(patience);
    long openNs = Math.min(openTimeout.toNanos(), patientNs);
    boolean done = connected.await(openNs, TimeUnit.NANOSECONDS);
    if (!connected.isSuccess()) {
      Throwable cause =
          done ? connected.cause() : new TimeoutException("no answer in " + millis(openNs) + " ms");
      throw new ShipmentException(
          Fault.PEER_GONE, "cannot connect: %s".formatted(cause.getMessage()), cause);
    }
    try {
      long mostNs = openNs;
      if (!isThere(openNs) && waits) {
        mostNs = Math.max(openNs, patientNs);
        boolean unused = isThere(mostNs - openNs);
      }
      if (!received.isDone()) {
        throw new ShipmentException(
            Fault.PEER_SILENT,
            String.format(
                Locale.ROOT,
                "%s did not answer the request within %,d ms",
                connected.channel().remoteAddress(),
                millis(mostNs)));
      }
      BitSet unused = received.get();
    } catch (ExecutionException e) {
      throw ShipmentException.of(e.getCause());
    }
  }

  private static long millis(long ns) {
    return TimeUnit.NANOSECONDS.toMillis(ns);
  }

  private boolean isThere(long timeoutNs) throws ExecutionException, InterruptedException {
    try {
      BitSet unused = received.get(timeoutNs, TimeUnit.NANOSECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    }
  }
}
