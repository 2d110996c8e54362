package io.drayage.objectstore;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;

/** An upload into memory. */
public abstract class KeptUpload implements ObjectUpload {
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();

  @Override
  public void write(ByteBuffer bytes) throws IOException {
    byte[] piece = new byte[bytes.remaining()];
    bytes.get(piece);
    written.writeBytes(piece);
  }

  @Override
  public void complete() throws IOException {
    complete(written.toByteArray());
  }

  /** Makes the object visible. */
  protected abstract void complete(byte[] content) throws IOException;

  @Override
  public void close() {}
}
