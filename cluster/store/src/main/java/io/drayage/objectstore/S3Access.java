package io.drayage.objectstore;

import io.drayage.files.SecretFile;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.SdkSystemSetting;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.exception.SdkServiceException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.profiles.ProfileFileLocation;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;

/** The rights of this user in a bucket, and the check that the server honours conditional puts. */
final class S3Access {
  /** The name of the probe: not a valid key of an object, so it is never listed. */
  static final String PROBE = ".fence";

  private static final String PROBE_CONTENT =
      "Drayage asks by this object whether the server honours If-None-Match. Leave it here.\n";

  /** The time for which requests to a silent server are repeated; short, because a user waits. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** The status codes for a put by a user that may only read, or to a read-only server. */
  private static final Set<Integer> READ_ONLY =
      Set.of(
          HttpURLConnection.HTTP_FORBIDDEN,
          HttpURLConnection.HTTP_BAD_METHOD,
          HttpURLConnection.HTTP_NOT_IMPLEMENTED);

  private final S3Store store;
  private final Duration patience;
  private @Nullable SdkException refusal;

  private S3Access(S3Store store) {
    this.store = store;
    Duration whole = store.calls().patience();
    this.patience = whole.compareTo(PATIENCE) < 0 ? whole : PATIENCE;
  }

  /**
   * Asks the server for the rights.
   *
   * @throws ObjectStoreException if the bucket cannot be read, or the server would replace objects
   */
  static S3Access ask(S3Store store) throws ObjectStoreException {
    S3Access access = new S3Access(store);
    access.requireBucket();
    access.requireFence();
    return access;
  }

  /**
   * Refuses a file of credentials that others can read, if the SDK reads credentials from it.
   *
   * @throws IOException that names the file, its mode, and what to do
   */
  static void requirePrivateCredentials() throws IOException {
    if (SdkSystemSetting.AWS_ACCESS_KEY_ID.getStringValue().isEmpty()) {
      Optional<Path> file = ProfileFileLocation.credentialsFileLocation();
      if (file.isPresent()) {
        SecretFile.requirePrivate(file.get());
      }
    }
  }

  private void requireBucket() throws ObjectStoreException {
    try {
      store.calls().send(patience, client -> client.headBucket(r -> r.bucket(bucket())));
    } catch (SdkException e) {
      throw failed(reasonOfBucket(e), e);
    }
  }

  /** Returns the reason of a failed HEAD, whose answer has no text. */
  private String reasonOfBucket(SdkException e) {
    String reason = S3Calls.reason(e);
    String region = region(e);
    if (region != null && !region.equals(store.options().region())) {
      return "it is in region '%s', not in the requested one: add region=%s: %s"
          .formatted(region, region, reason);
    }
    if (S3Calls.hasStatus(e, HttpURLConnection.HTTP_NOT_FOUND)) {
      return "there is no such bucket: " + reason;
    }
    if (S3Calls.hasStatus(e, HttpURLConnection.HTTP_FORBIDDEN)) {
      return "these credentials may not list it: " + reason;
    }
    return reason;
  }

  private static @Nullable String region(SdkException e) {
    boolean elsewhere =
        S3Calls.hasStatus(e, HttpURLConnection.HTTP_MOVED_PERM)
            || S3Calls.hasStatus(e, HttpURLConnection.HTTP_BAD_REQUEST);
    return elsewhere && e instanceof AwsServiceException aws && aws.awsErrorDetails() != null
        ? aws.awsErrorDetails()
            .sdkHttpResponse()
            .firstMatchingHeader("x-amz-bucket-region")
            .orElse(null)
        : null;
  }

  /** Fails if the server replaces objects: two transactors would overwrite each other's log. */
  private void requireFence() throws ObjectStoreException {
    boolean first = createsProbe();
    if (first && createsProbe()) {
      throw failed(
          "the server ignores If-None-Match on puts: it would let two transactors overwrite each"
              + " other's log",
          null);
    }
  }

  /**
   * Creates the probe. Returns false if it exists, or if this user may not create it and so needs
   * no fence.
   */
  private boolean createsProbe() throws ObjectStoreException {
    try {
      PutObjectRequest request =
          PutObjectRequest.builder()
              .bucket(bucket())
              .key(probe())
              .ifNoneMatch(S3Upload.ANY)
              .build();
      RequestBody content = RequestBody.fromString(PROBE_CONTENT);
      store.calls().send(patience, client -> client.putObject(request, content));
      return true;
    } catch (SdkException e) {
      if (S3Calls.hasStatus(e, HttpURLConnection.HTTP_PRECON_FAILED)) {
        return false;
      }
      if (!(e instanceof SdkServiceException answer && READ_ONLY.contains(answer.statusCode()))) {
        throw failed(S3Calls.reason(e), e);
      }
      requireReadable(e);
      refusal = e;
      return false;
    }
  }

  /** Fails if this process may neither write nor read, because of credentials or prefix. */
  private void requireReadable(SdkException refused) throws ObjectStoreException {
    try {
      store
          .calls()
          .send(patience, client -> client.headObject(r -> r.bucket(bucket()).key(probe())));
    } catch (SdkException e) {
      if (!S3Calls.hasStatus(e, HttpURLConnection.HTTP_NOT_FOUND)) {
        e.addSuppressed(refused);
        throw failed(
            "%s may neither be written (%s) nor read (%s)"
                .formatted(probe(), S3Calls.reason(refused), S3Calls.reason(e)),
            e);
      }
    }
  }

  /**
   * Fails if this user may not create objects.
   *
   * @throws ObjectStoreException with the server's reason
   */
  void requireWritable() throws ObjectStoreException {
    SdkException refused = refusal;
    if (refused != null) {
      throw failed(
          "it can be read, but not written; the server refused %s: %s"
              .formatted(probe(), S3Calls.reason(refused)),
          refused);
    }
  }

  private String bucket() {
    return store.options().bucket();
  }

  private String probe() {
    return store.options().prefix() + PROBE;
  }

  private ObjectStoreException failed(String reason, @Nullable Exception cause) {
    return new ObjectStoreException(store.name(), "bucket '%s'".formatted(bucket()), reason, cause);
  }
}
