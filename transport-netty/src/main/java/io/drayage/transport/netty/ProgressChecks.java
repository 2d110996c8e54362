package io.drayage.transport.netty;

import static io.drayage.internal.Texts.format;

import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.transport.TransportOptions;
import io.netty.channel.Channel;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Checks regularly whether the peer of a connection makes progress: a frame that has begun must be
 * complete in time, and the shipment must go on. Event loop only.
 */
final class ProgressChecks {
  /** Number of idle timeouts within which a frame that has begun must be complete. */
  static final int FRAME_TIMEOUT_FACTOR = 4;

  private static final int CHECKS_PER_TIMEOUT = 4;

  private final FrameReceiver frames;
  private final ServerConnection connection;
  private final long frameTimeoutNs;
  private long watchedFrame = FrameReceiver.NO_FRAME;
  private long watchedSinceNs;

  private ProgressChecks(FrameReceiver frames, ServerConnection connection, long frameTimeoutNs) {
    this.frames = frames;
    this.connection = connection;
    this.frameTimeoutNs = frameTimeoutNs;
  }

  /** Checks until the channel is closed. */
  static void begin(
      Channel channel,
      FrameReceiver frames,
      TransportOptions options,
      ServerConnection connection) {
    long frameTimeoutNs = options.idleTimeout().toNanos() * FRAME_TIMEOUT_FACTOR;
    long periodNs = Math.min(frameTimeoutNs, options.stallTimeout().toNanos()) / CHECKS_PER_TIMEOUT;
    ProgressChecks checks = new ProgressChecks(frames, connection, frameTimeoutNs);
    ScheduledFuture<?> scheduled =
        channel
            .eventLoop()
            .scheduleWithFixedDelay(checks::check, periodNs, periodNs, TimeUnit.NANOSECONDS);
    channel.closeFuture().addListener(closed -> scheduled.cancel(false));
  }

  private void check() {
    ServerShipment shipment = connection.shipmentUnderWay();
    if (shipment == null) {
      return;
    }
    long frame = frames.frameUnderWay();
    long nowNs = System.nanoTime();
    if (frame != watchedFrame || frame == FrameReceiver.NO_FRAME) {
      watchedFrame = frame;
      watchedSinceNs = nowNs;
    } else if (nowNs - watchedSinceNs > frameTimeoutNs) {
      connection.fault(
          new ShipmentException(
              Fault.CANCELLED,
              format(
                  "a frame from %s was not complete after %,d ms",
                  connection.remote(), TimeUnit.NANOSECONDS.toMillis(frameTimeoutNs))));
      return;
    }
    shipment.checkProgress();
  }
}
