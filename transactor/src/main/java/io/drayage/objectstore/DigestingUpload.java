package io.drayage.objectstore;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Uploads an object and computes its digest. Not thread-safe. */
public final class DigestingUpload implements AutoCloseable {
  private final ObjectUpload upload;
  private final ObjectDigest.Builder digest = new ObjectDigest.Builder();

  /**
   * @param upload owned by this object from now on
   */
  public DigestingUpload(ObjectUpload upload) {
    this.upload = upload;
  }

  /** As {@link ObjectUpload#write}. */
  public void write(ByteBuffer bytes) throws IOException {
    digest.add(bytes);
    upload.write(bytes);
  }

  /**
   * As {@link ObjectUpload#complete}.
   *
   * @return the digest of what was stored
   */
  public ObjectDigest complete() throws IOException {
    upload.complete();
    return digest.build();
  }

  @Override
  public void close() {
    upload.close();
  }
}
