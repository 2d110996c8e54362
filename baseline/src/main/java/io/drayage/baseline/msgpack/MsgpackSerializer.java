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
 * smallest form that holds it, buffers of 8 kB. The format has no arrays of primitives, so that
 * each value is a call; only a page of bytes travels as one payload.
 *
 * <p>The format of a whole cargo is described in {@link MsgpackCargoWriter}.
 *
 * <p>The library reaches into its buffers with {@code sun.misc.Unsafe}. Where the JDK forbids that,
 * it prints a stack trace once and goes on without; {@code -Dmsgpack.universal-buffer=true} makes
 * it do without from the start.
 */
public final class MsgpackSerializer implements StreamSerializer {
  /** A short of 2 bytes may take 3. */
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
   * Reads a cargo, which must be all that the stream holds: the unpacker reads ahead. Arrays, texts
   * (by the bytes they take in the stream) and objects are charged before they are allocated.
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
    } catch (RuntimeException e) { // The library's for a truncated stream have no message.
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
