package io.drayage.columnar.text;

import io.drayage.columnar.stream.Streams;
import io.drayage.frame.Fault;
import io.drayage.frame.ShipmentException;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Lengths as a stream of integers, then the characters: a {@link TextBlock}. Not thread-safe. */
public final class PackedTexts implements TextEncoding {
  static final int ID = 18;

  private final TextBlock block = new TextBlock();

  @Override
  public int id() {
    return ID;
  }

  @Override
  public boolean write(@Nullable String[] texts, int count, Streams streams, ByteBuffer target) {
    try {
      return block.write(texts, count, streams, target);
    } catch (BufferOverflowException e) {
      return false;
    }
  }

  @Override
  public void read(ByteBuffer source, int count, Streams streams, @Nullable String[] target)
      throws ShipmentException {
    block.read(source, count, streams, target);
    if (source.hasRemaining()) {
      throw new ShipmentException(
          Fault.DECODE, "%,d bytes are left behind %,d texts".formatted(source.remaining(), count));
    }
  }
}
