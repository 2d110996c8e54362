package io.drayage.objectstore;

import static io.drayage.internal.Texts.format;

import io.drayage.transport.Backoff;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import javax.xml.stream.XMLStreamException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.exception.SdkServiceException;
import software.amazon.awssdk.core.retry.RetryUtils;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.retries.api.BackoffStrategy;
import software.amazon.awssdk.retries.api.RetryStrategy;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/**
 * Sends requests to S3. A request whose failure may pass is sent again, after growing pauses, until
 * the patience is over. The SDK sends each request once, and again only to correct its clock: it
 * would not repeat a conflict (409), and the attempts of two layers would multiply.
 *
 * <p>The checksums of the SDK are off, because not every server supports them; readers compare with
 * digests. Thread-safe.
 */
final class S3Calls implements AutoCloseable {
  /** The default of the patience, in attempts that time out. */
  private static final int ATTEMPTS = 3;

  /** The text that the SDK adds to every message. */
  private static final String SENT_ONCE = " (SDK Attempt Count: 1)";

  private static final int REQUEST_TIMEOUT = 408;
  private static final int TOO_MANY_REQUESTS = 429;

  /** The status of WebDAV that MinIO uses when its disks are full. */
  private static final int INSUFFICIENT_STORAGE = 507;

  /** Error codes of failures that may pass although their status says otherwise. */
  private static final Set<String> PASSING =
      Set.of("RequestTimeout", "IncompleteBody", "BadDigest", "XAmzContentSHA256Mismatch");

  private final S3Client client;
  private final Duration patience;

  /**
   * @param limit the time for which a failed request is sent again; null for three times the
   *     timeout of an attempt
   */
  S3Calls(S3Options options, @Nullable Duration limit) {
    this.client = client(options);
    this.patience = limit == null ? options.attemptTimeout().multipliedBy(ATTEMPTS) : limit;
  }

  /** An incomplete answer of a server, although its status reports success. */
  private static final class CutAnswerException extends IOException {
    private static final long serialVersionUID = 1;

    CutAnswerException(String message) {
      super(message);
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
                    .retryStrategy(onlyOfAnotherTime())
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

  /**
   * Returns a strategy that sends a request again only after an error of the clock. The SDK then
   * signs with the server's time, if it is far from ours. Otherwise a node with a wrong clock would
   * never be admitted.
   */
  private static RetryStrategy onlyOfAnotherTime() {
    return DefaultRetryStrategy.standardStrategyBuilder()
        .maxAttempts(2)
        .retryOnException(e -> e instanceof SdkException of && RetryUtils.isClockSkewException(of))
        .backoffStrategy(BackoffStrategy.retryImmediately())
        .build();
  }

  Duration patience() {
    return patience;
  }

  /**
   * Sends a request, and sends it again while its failure may pass and the patience is not over.
   *
   * @throws SdkException the last failure
   */
  <T> T send(Function<S3Client, T> request) {
    return send(patience, request);
  }

  /** Sends a request, with another patience. */
  <T> T send(Duration limit, Function<S3Client, T> request) {
    Backoff backoff = new Backoff(limit);
    while (true) {
      try {
        return request.apply(client);
      } catch (SdkException e) {
        if (!mayPass(e) || !pause(backoff)) {
          throw e;
        }
      }
    }
  }

  /** Waits for the next attempt. Returns false at once if the patience is over. */
  static boolean pause(Backoff backoff) {
    try {
      return backoff.pause();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw AbortedException.create("interrupted", e);
    }
  }

  /** Whether the same request may succeed later. */
  static boolean mayPass(SdkException e) {
    if (e instanceof SdkServiceException answer) {
      int status = answer.statusCode();
      return status < HttpURLConnection.HTTP_MULT_CHOICE
          || status == REQUEST_TIMEOUT
          || status == HttpURLConnection.HTTP_CONFLICT
          || status == TOO_MANY_REQUESTS
          || (status >= HttpURLConnection.HTTP_INTERNAL_ERROR
              && status != HttpURLConnection.HTTP_NOT_IMPLEMENTED)
          || RetryUtils.isThrottlingException(e)
          || RetryUtils.isClockSkewException(e)
          || PASSING.contains(code(answer));
    }
    return !(e instanceof AbortedException)
        && (e instanceof ApiCallAttemptTimeoutException || isOfTheNetwork(e));
  }

  /** Returns the reason why a write has failed. */
  static WriteFailure writeFailure(SdkException e) {
    if (hasStatus(e, INSUFFICIENT_STORAGE)
        || (e instanceof SdkServiceException answer && code(answer).contains("QuotaExceeded"))) {
      return WriteFailure.FULL;
    }
    if (hasStatus(e, HttpURLConnection.HTTP_FORBIDDEN)) {
      return WriteFailure.DENIED;
    }
    return mayPass(e) ? WriteFailure.UNREACHABLE : WriteFailure.OTHER;
  }

  /** Whether a connection failed or an answer was cut; not for missing credentials or region. */
  private static boolean isOfTheNetwork(Throwable e) {
    for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
      if (cause instanceof IOException || cause instanceof XMLStreamException) {
        return true;
      }
    }
    return false;
  }

  private static String code(SdkServiceException e) {
    AwsErrorDetails details = e instanceof AwsServiceException aws ? aws.awsErrorDetails() : null;
    return details == null ? "" : Objects.requireNonNullElse(details.errorCode(), "");
  }

  /** Returns a failure that may pass. */
  static SdkException cut(String message) {
    return SdkClientException.create(message, new CutAnswerException(message));
  }

  /** Returns a failure that may pass, for a body that could not be read to its end. */
  static SdkException cut(String message, IOException cause) {
    return SdkClientException.create(message, cause);
  }

  /** Returns {@code part} of an answer. Fails if it is null: then the answer was cut. */
  static <T> T requirePart(@Nullable T part, String what) {
    if (part == null) {
      throw cut("the server's answer has no %s: it was cut".formatted(what));
    }
    return part;
  }

  static boolean hasStatus(SdkException e, int status) {
    return e instanceof SdkServiceException answer && answer.statusCode() == status;
  }

  /** Returns the message of a failure in one line. */
  static String reason(Exception e) {
    String message = Objects.requireNonNullElse(e.getMessage(), "");
    String line = message.lines().findFirst().orElse("").replace(SENT_ONCE, "");
    if (line.isEmpty() || line.startsWith("null")) {
      // Some servers answer without a text under load.
      line = (e.getClass().getSimpleName() + " " + line.replaceFirst("^null", "")).strip();
    }
    return e instanceof SdkServiceException answer && !line.contains("Status Code")
        ? format("%s [status %d]", line, answer.statusCode())
        : line;
  }

  @Override
  public void close() {
    client.close();
  }
}
