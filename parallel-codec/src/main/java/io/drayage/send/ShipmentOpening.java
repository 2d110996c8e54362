package io.drayage.send;

import io.drayage.frame.Fault;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.ShipmentException;
import io.drayage.frame.ShipmentHeader;
import io.drayage.transport.Shipment;
import io.drayage.transport.TransportClient;
import java.lang.System.Logger.Level;

/**
 * Opens shipments to one transactor in the newest version of {@code OPEN} that it understands: one
 * that refuses a frame with a trace is asked again in the version before, without. Thread-safe.
 */
public final class ShipmentOpening {
  private static final System.Logger LOG = System.getLogger(ShipmentOpening.class.getName());

  private final TransportClient client;
  private volatile boolean takesTraces = true;

  /**
   * @param client stays the caller's
   */
  public ShipmentOpening(TransportClient client) {
    this.client = client;
  }

  /** Opens a shipment; see {@link TransportClient#open}. */
  public Shipment open(ShipmentHeader header) throws ShipmentException, InterruptedException {
    if (header.trace() == null) {
      return client.open(header);
    }
    if (takesTraces) {
      try {
        return client.open(header);
      } catch (ShipmentException e) {
        if (e.fault() != Fault.BAD_FRAME) {
          throw e;
        }
        LOG.log(
            Level.INFO,
            "the transactor does not take OPEN in version {0}, and gets version {1}: {2}",
            FrameHeader.TRACED_VERSION,
            FrameHeader.VERSION,
            e.getMessage());
        takesTraces = false;
      }
    }
    return client.open(header.withTrace(null));
  }
}
