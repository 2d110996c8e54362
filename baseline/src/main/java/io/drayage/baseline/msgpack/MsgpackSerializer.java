package io.drayage.baseline.msgpack;

import io.drayage.baseline.stream.LimitedInputStream;
import io.drayage.baseline.stream.MemoryAccount;
import io.drayage.baseline.stream.StreamSerializer;
import io.drayage.cargo.ChangeCargo;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.SegmentSerializer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessagePacker;
import org.msgpack.core.MessageUnpacker;

/**
 * MessagePack with the default packer and unpacker, as the study ran it: every value in the
 * smallest form that holds it, buffers of 8 kB. The format has no arrays of primitives, so each
 * value is a call; only a page of bytes is one payload.
 *
 * <p>See {@link MsgpackCargoWriter} for the format of a whole cargo.
 *
 * <p>The library accesses its buffers with {@code sun.misc.Unsafe}. If the JDK forbids this, the
 * library prints a stack trace once and continues without Unsafe. With {@code
 * -Dmsgpack.universal-buffer=true}, it never uses Unsafe.
 */
public final class MsgpackSerializer implements StreamSerializer {
  /** The most bytes of a segment: a short of 2 bytes may need 3. */
  private static final int MAX_SEGMENT_BYTES = 5 << 19;

  @Override
  public int id() {
    return 6;
  }

  @Override
  public String name() {
    return "msgpack";
  }

  @Override
  public boolean readsDataOnly() {
    return true;
  }

  @Override
  public void writeCargo(ChangeCargo cargo, OutputStream out) throws IOException {
    MessagePacker packer = MessagePack.newDefaultPacker(out);
    new MsgpackCargoWriter(packer).write(cargo);
    packer.flush();
  }

  /**
   * Reads a cargo. The stream must end with the cargo, because the unpacker reads ahead. Arrays,
   * texts (by their bytes in the stream) and objects are charged before they are allocated.
   */
  @Override
  public ChangeCargo readCargo(InputStream in, MemoryAccount memory) throws IOException {
    MessageUnpacker unpacker =
        MessagePack.newDefaultUnpacker(LimitedInputStream.ofCargo(in, memory.maxBytes()));
    try {
      ChangeCargo cargo = new MsgpackCargoReader(unpacker, memory).read();
      if (unpacker.hasNext()) {
        throw new ShipmentException(Fault.DECODE, "there are bytes behind the cargo");
      }
      return cargo;
    } catch (RuntimeException e) { // For a truncated stream, the library gives no message.
      String why = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
      throw new ShipmentException(Fault.DECODE, "the stream holds no valid cargo: " + why, e);
    }
  }

  @Override
  public int maxSegmentBytes() {
    return MAX_SEGMENT_BYTES;
  }

  @Override
  public SegmentSerializer newSegmentSerializer() {
    return new MsgpackSegmentSerializer();
  }
}
