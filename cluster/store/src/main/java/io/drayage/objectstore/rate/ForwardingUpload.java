package io.drayage.objectstore.rate;

import io.drayage.objectstore.ObjectUpload;
import java.io.IOException;
import java.nio.ByteBuffer;

/** An upload that forwards all calls to another upload. */
public abstract class ForwardingUpload implements ObjectUpload {
  private final ObjectUpload upload;

  /**
   * @param upload owned by this object from now on
   */
  protected ForwardingUpload(ObjectUpload upload) {
    this.upload = upload;
  }

  @Override
  public void write(ByteBuffer bytes) throws IOException {
    upload.write(bytes);
  }

  @Override
  public void complete() throws IOException {
    upload.complete();
  }

  @Override
  public void close() {
    upload.close();
  }
}
