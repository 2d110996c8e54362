package io.drayage.objectstore;

import static io.drayage.internal.Texts.format;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.CreateMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.UploadPartRequest;

/**
 * Uploads one object to a bucket. An object that fits into one part is sent in one request. A
 * larger object is sent in parts, in parallel, while the next part fills.
 *
 * <p>The last request, with {@code If-None-Match: *}, decides whether the object exists. If its
 * answer is lost, the request is sent again, and then fails because the first attempt has created
 * the object. So every upload marks its object with an id. A failed upload reads that id.
 */
final class S3Upload implements ObjectUpload {
  /** The number of parts of one size. With 10,000 parts, the limit of S3, 400 GB fit. */
  private static final int PARTS_OF_A_SIZE = 1000;

  private static final int MAX_PARTS = 10_000;

  /** The time for which an abort waits. Remaining parts are deleted later. */
  private static final Duration ABORT_PATIENCE = Duration.ofSeconds(2);

  static final String ANY = "*";
  private static final String OCTETS = "application/octet-stream";
  private static final String ID = "drayage-upload";

  private final S3Store store;
  private final String key;
  private final String bucket;
  private final String objectKey;
  private final String id = UUID.randomUUID().toString();

  /** Concurrent, because another thread may abort the upload. */
  private final Deque<Future<CompletedPart>> inFlight = new ConcurrentLinkedDeque<>();

  private final Deque<byte[]> spare = new ArrayDeque<>();
  private final List<CompletedPart> completed = new ArrayList<>();
  private byte[] part;
  private int filled;
  private int partCount;
  private volatile @Nullable String uploadId;
  private volatile boolean ended;

  S3Upload(S3Store store, String key, String objectKey) {
    this.store = store;
    this.key = key;
    this.bucket = store.options().bucket();
    this.objectKey = objectKey;
    this.part = new byte[0];
  }

  @Override
  public void write(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      if (filled == part.length) {
        ensureCapacity(bytes.remaining());
      }
      int count = Math.min(bytes.remaining(), part.length - filled);
      bytes.get(part, filled, count);
      filled += count;
    }
  }

  /** Grows the part as needed: a small object should not use the memory of a whole part. */
  private void ensureCapacity(int wanted) throws IOException {
    int partBytes = partBytes();
    if (part.length < partBytes) {
      long grown = Math.max(2L * part.length, (long) filled + wanted);
      byte[] larger = new byte[(int) Math.min(grown, partBytes)];
      System.arraycopy(part, 0, larger, 0, filled);
      part = larger;
    } else {
      sendPart();
      byte[] reused = pollSpare();
      part = reused == null ? new byte[partBytes()] : reused;
    }
  }

  private byte @Nullable [] pollSpare() {
    synchronized (spare) {
      byte[] reused = spare.poll();
      return reused != null && reused.length == partBytes() ? reused : null;
    }
  }

  private int partBytes() {
    return (int)
        Math.min((long) store.options().partBytes() * (1 + partCount / PARTS_OF_A_SIZE), 1 << 30);
  }

  private void sendPart() throws IOException {
    if (partCount == MAX_PARTS) {
      throw new ObjectStoreException(
          store.name(), key, format("it exceeds the limit of %,d parts", MAX_PARTS));
    }
    String upload = uploadId == null ? beginParts() : uploadId;
    while (inFlight.size() >= store.options().partsInFlight()) {
      awaitPart();
    }
    byte[] content = part;
    int length = filled;
    int number = ++partCount;
    filled = 0;
    try {
      inFlight.add(store.parts().submit(() -> upload(upload, number, content, length)));
    } catch (RejectedExecutionException e) {
      throw new ObjectStoreException(store.name(), key, "the store is closed", e);
    }
  }

  private String beginParts() throws IOException {
    CreateMultipartUploadRequest request =
        CreateMultipartUploadRequest.builder()
            .bucket(bucket)
            .key(objectKey)
            .metadata(Map.of(ID, id))
            .build();
    try {
      String upload =
          sendForPart("UploadId", client -> client.createMultipartUpload(request).uploadId());
      uploadId = upload;
      return upload;
    } catch (SdkException e) {
      throw failed(e);
    }
  }

  /** Sends a request, and requires one part of its answer. */
  private String sendForPart(String what, Function<S3Client, @Nullable String> request) {
    return store.calls().send(client -> S3Calls.requirePart(request.apply(client), what));
  }

  private CompletedPart upload(String upload, int number, byte[] content, int length) {
    UploadPartRequest request =
        UploadPartRequest.builder()
            .bucket(bucket)
            .key(objectKey)
            .uploadId(upload)
            .partNumber(number)
            .build();
    String tag =
        sendForPart("ETag", client -> client.uploadPart(request, body(content, length)).eTag());
    synchronized (spare) {
      spare.add(content);
    }
    return CompletedPart.builder().partNumber(number).eTag(tag).build();
  }

  private static RequestBody body(byte[] content, int length) {
    return RequestBody.fromContentProvider(
        () -> new ByteArrayInputStream(content, 0, length), length, OCTETS);
  }

  /** Converts a failure. The object is not missing: here 404 is about the upload or the bucket. */
  private ObjectStoreException failed(SdkException e) {
    return new ObjectStoreException(
        store.name(), key, S3Calls.reason(e), e, S3Calls.writeFailure(e));
  }

  private void awaitPart() throws IOException {
    Future<CompletedPart> first = inFlight.remove();
    try {
      completed.add(first.get());
    } catch (ExecutionException e) {
      throw e.getCause() instanceof SdkException cause
          ? failed(cause)
          : new ObjectStoreException(store.name(), key, String.valueOf(e.getCause()), e);
    } catch (CancellationException e) {
      throw new ObjectStoreException(store.name(), key, "the upload was aborted", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ObjectStoreException(store.name(), key, "interrupted", e);
    }
  }

  @Override
  public void complete() throws IOException {
    try {
      if (uploadId == null) {
        putWhole();
      } else {
        completeParts();
      }
    } catch (SdkException e) {
      requireOurs(e);
    }
    ended = true;
  }

  private void putWhole() {
    PutObjectRequest request =
        PutObjectRequest.builder()
            .bucket(bucket)
            .key(objectKey)
            .ifNoneMatch(ANY)
            .metadata(Map.of(ID, id))
            .build();
    store.calls().send(client -> client.putObject(request, body(part, filled)));
  }

  private void completeParts() throws IOException {
    if (filled > 0) {
      sendPart();
    }
    while (!inFlight.isEmpty()) {
      awaitPart();
    }
    CompleteMultipartUploadRequest request =
        CompleteMultipartUploadRequest.builder()
            .bucket(bucket)
            .key(objectKey)
            .uploadId(uploadId)
            .ifNoneMatch(ANY)
            .multipartUpload(parts -> parts.parts(completed))
            .build();
    String unused = sendForPart("ETag", client -> client.completeMultipartUpload(request).eTag());
  }

  /**
   * Returns if an attempt of this upload has created the object.
   *
   * @throws ObjectExistsException if another upload has created it
   * @throws ObjectStoreException if the object does not exist, or its state is unknown
   */
  private void requireOurs(SdkException failure) throws ObjectStoreException {
    String owner;
    try {
      owner = store.calls().send(client -> store.head(client, objectKey)).metadata().get(ID);
    } catch (SdkException e) {
      failure.addSuppressed(e);
      throw new ObjectStoreException(
          store.name(),
          key,
          S3Calls.hasStatus(e, HttpURLConnection.HTTP_NOT_FOUND)
              ? "it was not created: " + S3Calls.reason(failure)
              : "it is unknown whether it was created: %s; and the check failed: %s"
                  .formatted(S3Calls.reason(failure), S3Calls.reason(e)),
          failure,
          S3Calls.writeFailure(failure));
    }
    if (!id.equals(owner)) {
      throw new ObjectExistsException(store.name(), key, failure);
    }
  }

  @Override
  public void close() {
    if (ended) {
      return;
    }
    ended = true;
    List.copyOf(inFlight).forEach(sent -> sent.cancel(true));
    String upload = uploadId;
    if (upload != null) {
      try {
        store.abort(ABORT_PATIENCE, objectKey, upload);
      } catch (SdkException e) {
        // deleteUnfinished will delete it.
      }
    }
  }
}
