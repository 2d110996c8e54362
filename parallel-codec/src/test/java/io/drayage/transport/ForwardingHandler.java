package io.drayage.transport;

import io.drayage.frame.ShipmentException;
import io.drayage.frame.StoreShare;
import io.drayage.memory.Lease;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.concurrent.CompletableFuture;

/** Passes everything on to another handler. A test overrides methods to see their calls. */
public class ForwardingHandler implements ShipmentHandler {
  private final ShipmentHandler handler;

  public ForwardingHandler(ShipmentHandler handler) {
    this.handler = handler;
  }

  @Override
  public void onFrame(Lease frame) {
    handler.onFrame(frame);
  }

  @Override
  public boolean decodesHere(ByteBuffer segment) {
    return handler.decodesHere(segment);
  }

  @Override
  public void onSegment(Lease frame) {
    handler.onSegment(frame);
  }

  @Override
  public boolean onAborted(ShipmentException cause) {
    return handler.onAborted(cause);
  }

  @Override
  public boolean isResumable() {
    return handler.isResumable();
  }

  @Override
  public StoreShare store() {
    return handler.store();
  }

  @Override
  public CompletableFuture<BitSet> settled() {
    return handler.settled();
  }
}
