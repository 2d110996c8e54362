package io.drayage.transport.netty;

import io.drayage.frame.FrameType;
import io.drayage.frame.ShipmentException;
import java.nio.ByteBuffer;

/** Gets the frames of one connection, on its event loop. */
interface FrameListener {
  /**
   * The header of a frame has come, with a length within the limit of its type. Called before
   * memory is taken for the rest.
   *
   * @param frameBytes the whole frame, header included
   * @throws ShipmentException if the frame must not come now
   */
  void beforeFrame(FrameType type, int frameBytes) throws ShipmentException;

  /**
   * A frame is complete.
   *
   * @param frame the whole frame, header checked; the listener owns its memory
   * @param recycle to be run once, on any thread, when the memory is not needed any more
   */
  void onFrame(FrameType type, ByteBuffer frame, Runnable recycle) throws ShipmentException;

  /** Bytes came that are no frame, or a frame that must not come. No frame will follow. */
  void onBadFrame(ShipmentException cause);
}
