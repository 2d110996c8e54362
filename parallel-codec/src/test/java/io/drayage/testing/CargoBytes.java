package io.drayage.testing;

import io.drayage.cargo.ChangeCargo;
import io.drayage.compressor.Compressors;
import io.drayage.frame.FrameHeader;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.CargoFrames;
import io.drayage.serializer.Serializer;
import io.drayage.serializer.Serializers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** A cargo as the bytes of its frames: {@code raw}, uncompressed, of shipment 0. */
public final class CargoBytes {
  public static final Serializer RAW = Serializers.ofName("raw");

  private CargoBytes() {}

  /** Reads and writes such bytes. */
  public static CargoFrames frames() {
    return new CargoFrames(RAW.newSegmentSerializer(), RAW.id(), Compressors.ofName("none"));
  }

  /** All frames one after the other. */
  public static byte[] of(ChangeCargo cargo) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    frames().write(cargo, out);
    return out.toByteArray();
  }

  /** Manifest, segments, seal, each in a buffer of its own. */
  public static List<ByteBuffer> framesOf(ChangeCargo cargo) throws IOException {
    return split(of(cargo));
  }

  private static List<ByteBuffer> split(byte[] bytes) throws ShipmentException {
    List<ByteBuffer> frames = new ArrayList<>();
    ByteBuffer all = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int offset = 0;
    while (offset < bytes.length) {
      int length = FrameHeader.BYTES + FrameHeader.payloadBytes(all, offset);
      ByteBuffer frame = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
      frames.add(frame.put(0, all, offset, length));
      offset += length;
    }
    return frames;
  }
}
