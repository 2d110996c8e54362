package io.drayage.snapshot;

import io.drayage.objectstore.ObjectDigest;
import io.drayage.objectstore.ObjectUpload;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/**
 * Uploads an object and computes its digest. Closing aborts the upload, unless it is complete. Not
 * thread-safe.
 */
public final class DigestingUpload extends OutputStream {
  private final ObjectUpload upload;
  private final ObjectDigest.Builder digest = new ObjectDigest.Builder();

  /**
   * @param upload owned by this object from now on
   */
  public DigestingUpload(ObjectUpload upload) {
    this.upload = upload;
  }

  /** Writes bytes, as {@link ObjectUpload#write} does. */
  public void write(ByteBuffer bytes) throws IOException {
    digest.add(bytes);
    upload.write(bytes);
  }

  /**
   * Writes bytes whose CRC32C is known, as {@link #write(ByteBuffer)} does.
   *
   * @param checksum the checksum that the bytes should have: readers compare with it
   */
  public void write(ByteBuffer bytes, int checksum) throws IOException {
    digest.add(bytes, checksum);
    upload.write(bytes);
  }

  @Override
  public void write(byte[] source, int offset, int length) throws IOException {
    write(ByteBuffer.wrap(source, offset, length));
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  /**
   * Completes the upload, as {@link ObjectUpload#complete} does.
   *
   * @return the digest of the stored bytes
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
