package io.drayage.objectstore;

import static io.drayage.internal.Texts.format;

import io.drayage.internal.Begun;
import io.drayage.internal.DaemonThreads;
import io.drayage.transport.Backoff;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListMultipartUploadsRequest;
import software.amazon.awssdk.services.s3.model.ListMultipartUploadsResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * Stores objects in a bucket of S3, or of a compatible server that supports {@code If-None-Match}
 * on puts.
 *
 * <p>A request whose failure may pass is sent again ({@link S3Calls}). {@link S3Upload} recognizes
 * the effect of an earlier attempt.
 */
final class S3Store implements ObjectStore {
  private static final int RANGE_NOT_SATISFIABLE = 416;

  /** The number of short answers after which an object counts as too short: one may be wrong. */
  private static final int READINGS = 3;

  private final S3Options options;
  private final S3Calls calls;
  private final Sightings<Unfinished> unfinished = new Sightings<>(System::nanoTime);
  private final ExecutorService parts =
      Executors.newCachedThreadPool(new DaemonThreads("store-upload"));

  /** A multipart upload that has not ended. */
  private record Unfinished(String objectKey, String uploadId) {}

  /** Null during the opening. */
  private @Nullable S3Access access;

  private S3Store(S3Options options, S3Calls calls) {
    this.options = options;
    this.calls = calls;
  }

  /**
   * Opens a store.
   *
   * @throws ObjectStoreException if the bucket cannot be used, or the server would replace objects
   * @throws IOException if others can read the file with the credentials
   */
  static S3Store open(S3Options options) throws IOException {
    return open(options, null);
  }

  /**
   * Opens a store.
   *
   * @param patience the time for which a request is sent again; null for three times its timeout
   */
  static S3Store open(S3Options options, @Nullable Duration patience) throws IOException {
    S3Access.requirePrivateCredentials();
    S3Store store = new S3Store(options, new S3Calls(options, patience));
    try (Begun begun = new Begun(store::close)) {
      store.access = S3Access.ask(store);
      return begun.keep(store);
    }
  }

  @Override
  public void requireWritable() throws IOException {
    if (access != null) {
      access.requireWritable();
    }
  }

  S3Options options() {
    return options;
  }

  S3Calls calls() {
    return calls;
  }

  ExecutorService parts() {
    return parts;
  }

  @Override
  public String name() {
    return "s3:" + options.bucket() + (options.prefix().isEmpty() ? "" : "/" + options.prefix());
  }

  String objectKey(String key) {
    return options.prefix() + ObjectStore.requireKey(key);
  }

  @Override
  public ObjectUpload begin(String key) {
    return new S3Upload(this, key, objectKey(key));
  }

  /** Reads a part, and reads it again after a short answer, which may be wrong. */
  @Override
  public void read(String key, long offset, ByteBuffer target) throws IOException {
    if (!target.hasRemaining()) {
      return;
    }
    int start = target.position();
    Backoff backoff = new Backoff(calls.patience());
    try {
      String problem = calls.send(client -> readOnce(client, key, offset, target.position(start)));
      for (int reading = 1; problem != null; reading++) {
        if (reading == READINGS || !S3Calls.pause(backoff)) {
          throw new ObjectCorruptException(name(), key, problem);
        }
        problem = calls.send(client -> readOnce(client, key, offset, target.position(start)));
      }
    } catch (SdkException e) {
      throw failed(key, e);
    }
  }

  /**
   * Reads until the target is full or the response ends. JDK 25 reports the end by an exception,
   * older ones by a negative number.
   */
  private static void readUntilItEnds(ReadableByteChannel channel, ByteBuffer target)
      throws IOException {
    try {
      while (target.hasRemaining() && channel.read(target) >= 0) {
        // The loop reads on.
      }
    } catch (IOException e) {
      if (!"Premature EOF".equals(e.getMessage())) {
        throw e;
      }
    }
  }

  /** Reads once. Returns null, or a description of the error in the object. */
  private @Nullable String readOnce(S3Client client, String key, long offset, ByteBuffer target) {
    int wanted = target.remaining();
    String bytes = format("bytes=%d-%d", offset, offset + wanted - 1);
    try (ResponseInputStream<GetObjectResponse> response =
            client.getObject(
                request -> request.bucket(options.bucket()).key(objectKey(key)).range(bytes));
        ReadableByteChannel channel = Channels.newChannel(response)) {
      String range = S3Calls.requirePart(response.response().contentRange(), "Content-Range");
      if (!range.startsWith(format("bytes %d-", offset))) {
        throw S3Calls.cut(
            format("the server sent '%s' when asked from offset %,d on", range, offset));
      }
      readUntilItEnds(channel, target);
      int received = wanted - target.remaining();
      if (received == wanted) {
        return null;
      }
      Long sent = response.response().contentLength();
      if (sent == null || received < sent) {
        throw S3Calls.cut(
            format(
                "the connection ended after %,d of %,d bytes from offset %,d",
                received, wanted, offset));
      }
      return format(
          "it ends after %,d of %,d bytes from offset %,d (%s)", received, wanted, offset, range);
    } catch (IOException e) {
      throw S3Calls.cut(S3Calls.reason(e), e);
    } catch (SdkException e) {
      if (S3Calls.hasStatus(e, RANGE_NOT_SATISFIABLE)) {
        return format("it ends before offset %,d", offset);
      }
      throw e;
    }
  }

  @Override
  public long size(String key) throws IOException {
    try {
      return calls.send(
          client ->
              S3Calls.requirePart(head(client, objectKey(key)).contentLength(), "Content-Length"));
    } catch (SdkException e) {
      throw failed(key, e);
    }
  }

  HeadObjectResponse head(S3Client client, String objectKey) {
    return client.headObject(request -> request.bucket(options.bucket()).key(objectKey));
  }

  @Override
  public List<StoredObject> list(String prefix) throws IOException {
    List<StoredObject> found = new ArrayList<>();
    try {
      String next = null;
      do {
        String token = next;
        ListObjectsV2Response page = calls.send(client -> page(client, prefix, token));
        for (S3Object object : page.contents()) {
          String key = object.key().substring(options.prefix().length());
          if (!key.equals(S3Access.PROBE)) {
            found.add(new StoredObject(key, object.size(), object.lastModified()));
          }
        }
        next = page.isTruncated() ? page.nextContinuationToken() : null;
      } while (next != null);
    } catch (SdkException e) {
      throw failed(prefix, e);
    }
    found.sort(Comparator.comparing(StoredObject::key));
    return found;
  }

  /** Lists a page. Fails if the body is empty, which is not an empty list. */
  private ListObjectsV2Response page(S3Client client, String prefix, @Nullable String token) {
    ListObjectsV2Request request =
        ListObjectsV2Request.builder()
            .bucket(options.bucket())
            .prefix(options.prefix() + prefix)
            .continuationToken(token)
            .build();
    ListObjectsV2Response page = client.listObjectsV2(request);
    if (S3Calls.requirePart(page.isTruncated(), "IsTruncated")) {
      S3Calls.requirePart(page.nextContinuationToken(), "NextContinuationToken");
    }
    return page;
  }

  @Override
  public void delete(String key) throws IOException {
    try {
      calls.send(
          client ->
              client.deleteObject(request -> request.bucket(options.bucket()).key(objectKey(key))));
    } catch (SdkException e) {
      if (!S3Calls.hasStatus(e, HttpURLConnection.HTTP_NOT_FOUND)) {
        throw failed(key, e);
      }
    }
  }

  @Override
  public int deleteUnfinished(Predicate<String> keys, Duration age) throws IOException {
    try {
      List<Unfinished> present = new ArrayList<>();
      for (MultipartUpload upload : uploads()) {
        if (keys.test(upload.key().substring(options.prefix().length()))) {
          present.add(new Unfinished(upload.key(), upload.uploadId()));
        }
      }
      Set<Unfinished> abandoned = unfinished.seenFor(age, present);
      for (Unfinished upload : abandoned) {
        abort(calls.patience(), upload.objectKey(), upload.uploadId());
      }
      return abandoned.size();
    } catch (SdkException e) {
      throw failed("unfinished uploads", e);
    }
  }

  private List<MultipartUpload> uploads() {
    List<MultipartUpload> found = new ArrayList<>();
    String nextKey = null;
    String nextId = null;
    boolean more;
    do {
      ListMultipartUploadsRequest request =
          ListMultipartUploadsRequest.builder()
              .bucket(options.bucket())
              .prefix(options.prefix())
              .keyMarker(nextKey)
              .uploadIdMarker(nextId)
              .build();
      ListMultipartUploadsResponse page =
          calls.send(
              client -> {
                ListMultipartUploadsResponse answer = client.listMultipartUploads(request);
                Boolean unused = S3Calls.requirePart(answer.isTruncated(), "IsTruncated");
                return answer;
              });
      found.addAll(page.uploads());
      nextKey = page.nextKeyMarker();
      nextId = page.nextUploadIdMarker();
      more = page.isTruncated() && nextKey != null;
    } while (more);
    return found;
  }

  /** Ends a multipart upload, unless it has ended. */
  void abort(Duration patience, String objectKey, String uploadId) {
    try {
      calls.send(
          patience,
          client ->
              client.abortMultipartUpload(
                  request -> request.bucket(options.bucket()).key(objectKey).uploadId(uploadId)));
    } catch (SdkException e) {
      if (!S3Calls.hasStatus(e, HttpURLConnection.HTTP_NOT_FOUND)) {
        throw e;
      }
    }
  }

  @Override
  public void close() {
    parts.shutdown();
    calls.close();
  }

  /** Converts a failure of the server or the network. */
  ObjectStoreException failed(String key, SdkException e) {
    return S3Calls.hasStatus(e, HttpURLConnection.HTTP_NOT_FOUND)
        ? new ObjectMissingException(name(), key, e)
        : new ObjectStoreException(name(), key, S3Calls.reason(e), e);
  }
}
