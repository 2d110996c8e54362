package io.drayage.send;

import io.drayage.frame.ShipmentException;
import io.drayage.memory.Lease;
import io.drayage.metrics.OutboundCounters;
import io.drayage.transport.FrameSink;

/** {@link FrameSink#send}, counted: how much was sent, and how long the transport was full. */
public final class MeteredSending {
  private MeteredSending() {}

  /** Offers {@code frame} until it is taken. Owns the frame in any case. Not for event loops. */
  public static void send(FrameSink sink, Lease frame, OutboundCounters counters)
      throws ShipmentException, InterruptedException {
    long bytes = frame.remainingBytes();
    boolean taken = false;
    try {
      taken = sink.offer(frame);
      while (!taken) {
        long fullNs = System.nanoTime();
        sink.awaitReady();
        counters.addRoomWait(System.nanoTime() - fullNs);
        taken = sink.offer(frame);
      }
    } finally {
      if (!taken) {
        frame.close();
      }
    }
    counters.addFrame(bytes);
  }
}
