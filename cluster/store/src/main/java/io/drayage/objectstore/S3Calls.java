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
 * Sends requests to S3, and sends one again if its failure may pass, after growing pauses, until
 * the patience is over. The SDK sends each request once, and again only to correct its clock: it
 * would not repeat a conflict (409), and attempts of two layers would multiply.
 *
 * <p>Its checksums are off, since not every server supports them; readers compare with digests.
 * Thread-safe.
 */
final class S3Calls implements AutoCloseable {
  /** The patience, in attempts that time out. */
  private static final int ATTEMPTS = 3;

  /** What the SDK adds to every message. */
  private static final String SENT_ONCE = " (SDK Attempt Count: 1)";

  private static final int REQUEST_TIMEOUT = 408;
  private static final int TOO_MANY_REQUESTS = 429;

  /** WebDAV's, by which MinIO says that its disks are full. */
  private static final int INSUFFICIENT_STORAGE = 507;

  /** Codes that come with a status of other errors. */
  private static final Set<String> PASSING =
      Set.of("RequestTimeout", "IncompleteBody", "BadDigest", "XAmzContentSHA256Mismatch");

  /** Says that the server's answer is no whole one, though its status says that all is well. */
  private static final class CutAnswerException extends IOException {
    private static final long serialVersionUID = 1;

    CutAnswerException(String message) {
      super(message);
    }
  }

  private final S3Client client;
  private final Duration patience;

  private S3Calls(S3Client client, Duration patience) {
    this.client = client;
    this.patience = patience;
  }

  static S3Calls open(S3Options options, @Nullable Duration patience) {
    return new S3Calls(
        client(options),
        patience == null ? options.attemptTimeout().multipliedBy(ATTEMPTS) : patience);
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
   * The SDK's signatures have the server's time, if that is far from ours, as soon as it has sent a
   * request again: else a node whose clock is wrong would never be let in.
   */
  private static RetryStrategy onlyOfAnotherTime() {
    return DefaultRetryStrategy.standardStrategyBuilder()
        .maxAttempts(2)
        .retryOnException(e -> e instanceof SdkException of && RetryUtils.isClockSkewException(of))
        .backoffStrategy(BackoffStrategy.retryImmediately())
        .build();
  }

  /** How long a request is sent again. */
  Duration patience() {
    return patience;
  }

  /**
   * Sends a request, as often as it takes.
   *
   * @throws SdkException the last failure, if it does not pass
   */
  <T> T send(Function<S3Client, T> request) {
    return send(patience, request);
  }

  /** As above, with another patience. */
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

  /** Waits for the next attempt; false at once if the patience is over. */
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

  /** Why a write has failed. */
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

  /** No missing credentials or region, but a connection that failed, or an answer that was cut. */
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

  /** A failure that may pass. */
  static SdkException cut(String message) {
    return SdkClientException.create(message, new CutAnswerException(message));
  }

  /** A failure that may pass, of a body that could not be read to its end. */
  static SdkException cut(String message, IOException cause) {
    return SdkClientException.create(message, cause);
  }

  /** Returns {@code part} of an answer, which is missing only if the answer was cut. */
  static <T> T requirePart(@Nullable T part, String what) {
    if (part == null) {
      throw cut("the server's answer has no %s: it was cut".formatted(what));
    }
    return part;
  }

  static boolean hasStatus(SdkException e, int status) {
    return e instanceof SdkServiceException answer && answer.statusCode() == status;
  }

  /** In one line. */
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
