package io.drayage.codec;

import io.drayage.cargo.ChangeCargo;
import io.drayage.frame.FrameHeader;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * A serializer that knows segments only: as a stream, a cargo is its frames, one after the other
 * ({@link CargoFrames}). Thread-safe if {@link #newSegmentSerializer} is.
 */
public abstract class FramedSerializer implements Serializer {
  @Override
  public final void writeCargo(ChangeCargo cargo, OutputStream out) throws IOException {
    frames().write(cargo, out);
  }

  /** Reads exactly the frames of one cargo; each is at most {@link FrameHeader} allows. */
  @Override
  public final ChangeCargo readCargo(InputStream in, long maxCargoBytes) throws IOException {
    return frames().read(in, maxCargoBytes);
  }

  private CargoFrames frames() {
    return new CargoFrames(newSegmentSerializer(), id(), Compressors.ofId(Compressor.STORED_ID));
  }
}
