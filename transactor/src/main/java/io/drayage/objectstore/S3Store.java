package io.drayage.objectstore;

import io.drayage.codec.pool.DaemonThreads;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.exception.SdkServiceException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * Stores objects in a bucket of S3, or of a compatible server that supports {@code If-None-Match}
 * on puts.
 *
 * <p>The SDK repeats a request that fails or times out; the effect of the first attempt is
 * recognized, see {@link S3Upload}. The SDK's own checksums are off, since not every server
 * supports them; readers compare with digests.
 */
public final class S3Store implements ObjectStore {
  /** Attempts before a call fails. */
  private static final int ATTEMPTS = 3;

  private static final int RANGE_NOT_SATISFIABLE = 416;

  /** No key of an object: it is never listed. */
  private static final String PROBE = ".fence";

  private static final String PROBE_CONTENT =
      "Drayage asks by this object whether the server honours If-None-Match. Leave it here.\n";

  private final S3Options options;
  private final S3Client client;
  private final Sightings<Unfinished> unfinished = new Sightings<>(System::nanoTime);
  private final ExecutorService parts =
      Executors.newCachedThreadPool(new DaemonThreads("store-upload"));

  /** An upload that has begun. */
  private record Unfinished(String objectKey, String uploadId) {}

  private S3Store(S3Options options, S3Client client) {
    this.options = options;
    this.client = client;
  }

  /**
   * Opens a store.
   *
   * @throws ObjectStoreException if the bucket cannot be used, or the server would replace objects
   */
  public static S3Store open(S3Options options) throws IOException {
    S3Store store = new S3Store(options, client(options));
    try {
      store.client.headBucket(request -> request.bucket(options.bucket()));
      store.requireFence();
      return store;
    } catch (SdkException e) {
      store.close();
      throw new ObjectStoreException(
          store.name(), "bucket '%s'".formatted(options.bucket()), reason(e), e);
    } catch (ObjectStoreException e) {
      store.close();
      throw e;
    }
  }

  /** Two transactors would overwrite each other's log entries if the server replaced objects. */
  private void requireFence() throws ObjectStoreException {
    boolean first = createsProbe();
    if (first && createsProbe()) {
      throw new ObjectStoreException(
          name(),
          "bucket '%s'".formatted(options.bucket()),
          "the server ignores If-None-Match on puts: it would let two transactors overwrite each"
              + " other's log",
          null);
    }
  }

  /** False if it exists, is being created, or may not be by this user, who then needs no fence. */
  private boolean createsProbe() {
    try {
      client.putObject(
          request ->
              request
                  .bucket(options.bucket())
                  .key(options.prefix() + PROBE)
                  .ifNoneMatch(S3Upload.ANY),
          RequestBody.fromString(PROBE_CONTENT));
      return true;
    } catch (SdkException e) {
      if (hasStatus(e, HttpURLConnection.HTTP_PRECON_FAILED)
          || hasStatus(e, HttpURLConnection.HTTP_CONFLICT)
          || hasStatus(e, HttpURLConnection.HTTP_FORBIDDEN)) {
        return false;
      }
      throw e;
    }
  }

  private static S3Client client(S3Options options) {
    S3ClientBuilder builder =
        S3Client.builder()
            .httpClientBuilder(
                UrlConnectionHttpClient.builder()
                    .connectionTimeout(options.attemptTimeout())
                    .socketTimeout(options.attemptTimeout()))
            .forcePathStyle(options.endpoint() != null)
            .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
            .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
            .overrideConfiguration(
                ClientOverrideConfiguration.builder()
                    .apiCallAttemptTimeout(options.attemptTimeout())
                    .apiCallTimeout(options.attemptTimeout().multipliedBy(ATTEMPTS))
                    .retryStrategy(retry -> retry.maxAttempts(ATTEMPTS))
                    .build());
    if (options.endpoint() != null) {
      builder.endpointOverride(options.endpoint());
    }
    String region = options.region();
    if (region != null) {
      builder.region(Region.of(region));
    } else if (options.endpoint() != null) {
      builder.region(Region.US_EAST_1);
    }
    return builder.build();
  }

  S3Options options() {
    return options;
  }

  S3Client client() {
    return client;
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

  @Override
  public void read(String key, long offset, ByteBuffer target) throws IOException {
    if (!target.hasRemaining()) {
      return;
    }
    long last = offset + target.remaining() - 1;
    int start = target.position();
    try (ResponseInputStream<GetObjectResponse> response =
            client.getObject(
                request ->
                    request
                        .bucket(options.bucket())
                        .key(objectKey(key))
                        .range(String.format(Locale.ROOT, "bytes=%d-%d", offset, last)));
        ReadableByteChannel channel = Channels.newChannel(response)) {
      while (target.hasRemaining() && channel.read(target) >= 0) {
        // Until it is full, or the response ends.
      }
    } catch (SdkException e) {
      throw failed(key, e);
    } catch (IOException e) {
      throw new ObjectStoreException(name(), key, reason(e), e);
    }
    if (target.hasRemaining()) {
      throw new ObjectCorruptException(
          name(),
          key,
          String.format(
              Locale.ROOT,
              "received %,d of %,d bytes from offset %,d",
              target.position() - start,
              last - offset + 1,
              offset),
          null);
    }
  }

  @Override
  public long size(String key) throws IOException {
    try {
      return client
          .headObject(request -> request.bucket(options.bucket()).key(objectKey(key)))
          .contentLength();
    } catch (SdkException e) {
      throw failed(key, e);
    }
  }

  @Override
  public List<StoredObject> list(String prefix) throws IOException {
    List<StoredObject> found = new ArrayList<>();
    try {
      for (S3Object object :
          client
              .listObjectsV2Paginator(
                  request -> request.bucket(options.bucket()).prefix(options.prefix() + prefix))
              .contents()) {
        String key = object.key().substring(options.prefix().length());
        if (!key.equals(PROBE)) {
          found.add(new StoredObject(key, object.size(), object.lastModified()));
        }
      }
    } catch (SdkException e) {
      throw failed(prefix, e);
    }
    found.sort(Comparator.comparing(StoredObject::key));
    return found;
  }

  @Override
  public void delete(String key) throws IOException {
    try {
      client.deleteObject(request -> request.bucket(options.bucket()).key(objectKey(key)));
    } catch (SdkException e) {
      if (!hasStatus(e, HttpURLConnection.HTTP_NOT_FOUND)) {
        throw failed(key, e);
      }
    }
  }

  @Override
  public int deleteUnfinished(Predicate<String> keys, Duration age) throws IOException {
    try {
      List<Unfinished> present = new ArrayList<>();
      for (MultipartUpload upload :
          client
              .listMultipartUploadsPaginator(
                  request -> request.bucket(options.bucket()).prefix(options.prefix()))
              .uploads()) {
        if (keys.test(upload.key().substring(options.prefix().length()))) {
          present.add(new Unfinished(upload.key(), upload.uploadId()));
        }
      }
      Set<Unfinished> abandoned = unfinished.seenFor(age, present);
      for (Unfinished upload : abandoned) {
        client.abortMultipartUpload(
            request ->
                request
                    .bucket(options.bucket())
                    .key(upload.objectKey())
                    .uploadId(upload.uploadId()));
      }
      return abandoned.size();
    } catch (SdkException e) {
      throw failed("unfinished uploads", e);
    }
  }

  @Override
  public void close() {
    parts.shutdown();
    client.close();
  }

  /** Converts a failure of the server or the network. */
  ObjectStoreException failed(String key, SdkException e) {
    if (hasStatus(e, HttpURLConnection.HTTP_NOT_FOUND)) {
      return new ObjectMissingException(name(), key, e);
    }
    if (hasStatus(e, HttpURLConnection.HTTP_PRECON_FAILED)) {
      return new ObjectExistsException(name(), key, e);
    }
    if (hasStatus(e, RANGE_NOT_SATISFIABLE)) {
      return new ObjectCorruptException(name(), key, "it ends before the requested range", e);
    }
    return new ObjectStoreException(name(), key, reason(e), e);
  }

  static boolean hasStatus(SdkException e, int status) {
    return e instanceof SdkServiceException answer && answer.statusCode() == status;
  }

  /** In one line. */
  private static String reason(Exception e) {
    String message = Objects.requireNonNullElse(e.getMessage(), "");
    String line = message.lines().findFirst().orElse("");
    if (line.isEmpty() || line.startsWith("null")) {
      // Some servers answer without a text under load.
      line = (e.getClass().getSimpleName() + " " + line.replaceFirst("^null", "")).strip();
    }
    return e instanceof SdkServiceException answer && !line.contains("Status Code")
        ? String.format(Locale.ROOT, "%s [status %d]", line, answer.statusCode())
        : line;
  }
}
