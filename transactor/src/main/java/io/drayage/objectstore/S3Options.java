package io.drayage.objectstore;

import java.net.URI;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Which bucket, and how it is reached. Credentials are those of the SDK: the environment variables
 * {@code AWS_ACCESS_KEY_ID} and {@code AWS_SECRET_ACCESS_KEY}, the system properties {@code
 * aws.accessKeyId} and {@code aws.secretAccessKey}, a profile, or the role of the machine.
 *
 * @param bucket has to exist
 * @param prefix stands before every key; empty, or ends in a slash
 * @param endpoint of a server other than AWS; null for AWS
 * @param region of the bucket; null to ask the SDK's own settings
 * @param attemptTimeout after which one request is given up and made once more
 * @param partBytes length of the first parts of an upload, at least {@link #MIN_PART_BYTES}
 * @param partsInFlight how many parts of one upload may be under way, and so in memory
 */
public record S3Options(
    String bucket,
    String prefix,
    @Nullable URI endpoint,
    @Nullable String region,
    Duration attemptTimeout,
    int partBytes,
    int partsInFlight) {
  /** S3 takes no smaller part but the last. */
  public static final int MIN_PART_BYTES = 5 << 20;

  public static final int DEFAULT_PART_BYTES = 8 << 20;
  public static final int DEFAULT_PARTS_IN_FLIGHT = 4;
  public static final Duration DEFAULT_ATTEMPT_TIMEOUT = Duration.ofSeconds(30);

  private static final Pattern BUCKET = Pattern.compile("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]");

  /**
   * @throws IllegalArgumentException if one of them is out of its range
   */
  public S3Options {
    if (!BUCKET.matcher(bucket).matches()) {
      throw new IllegalArgumentException("'%s' cannot be the name of a bucket".formatted(bucket));
    }
    if (!prefix.isEmpty() && !prefix.endsWith("/")) {
      throw new IllegalArgumentException("the prefix '%s' does not end in /".formatted(prefix));
    }
    if (partBytes < MIN_PART_BYTES) {
      throw new IllegalArgumentException(
          "parts of %,d bytes: S3 takes %,d or more".formatted(partBytes, MIN_PART_BYTES));
    }
    if (partsInFlight < 1) {
      throw new IllegalArgumentException("partsInFlight must be 1 or more, not " + partsInFlight);
    }
  }

  /**
   * Options as a user writes them: {@code BUCKET[/PREFIX][?OPTION&OPTION...]}, where an option is
   * {@code endpoint=URL}, {@code region=NAME}, {@code attempt-timeout=SECONDS}, {@code
   * part-bytes=N} or {@code parts-in-flight=N}.
   *
   * @throws IllegalArgumentException if it cannot be read, saying why
   */
  public static S3Options parse(String text) {
    int question = text.indexOf('?');
    String path = question < 0 ? text : text.substring(0, question);
    int slash = path.indexOf('/');
    String prefix = slash < 0 ? "" : path.substring(slash + 1);
    S3Options options =
        new S3Options(
            slash < 0 ? path : path.substring(0, slash),
            prefix.isEmpty() || prefix.endsWith("/") ? prefix : prefix + "/",
            null,
            null,
            DEFAULT_ATTEMPT_TIMEOUT,
            DEFAULT_PART_BYTES,
            DEFAULT_PARTS_IN_FLIGHT);
    if (question >= 0) {
      for (String option : text.substring(question + 1).split("&", -1)) {
        options = options.with(option);
      }
    }
    return options;
  }

  private S3Options with(String option) {
    int equals = option.indexOf('=');
    String name = equals < 0 ? option : option.substring(0, equals);
    String value = option.substring(equals + 1);
    return switch (name) {
      case "endpoint" -> withEndpoint(URI.create(value));
      case "region" ->
          new S3Options(bucket, prefix, endpoint, value, attemptTimeout, partBytes, partsInFlight);
      case "attempt-timeout" -> withAttemptTimeout(Duration.ofSeconds(number(name, value)));
      case "part-bytes" -> withParts(number(name, value), partsInFlight);
      case "parts-in-flight" -> withParts(partBytes, number(name, value));
      default ->
          throw new IllegalArgumentException(
              "'%s' is no option of S3: expected endpoint, region, attempt-timeout, part-bytes or parts-in-flight"
                  .formatted(name));
    };
  }

  private static int number(String name, String value) {
    try {
      return Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("%s: '%s' is no number".formatted(name, value), e);
    }
  }

  /** The same at another server. */
  public S3Options withEndpoint(URI server) {
    return new S3Options(bucket, prefix, server, region, attemptTimeout, partBytes, partsInFlight);
  }

  /** The same with another timeout. */
  public S3Options withAttemptTimeout(Duration timeout) {
    return new S3Options(bucket, prefix, endpoint, region, timeout, partBytes, partsInFlight);
  }

  /** The same with other parts. */
  public S3Options withParts(int bytes, int inFlight) {
    return new S3Options(bucket, prefix, endpoint, region, attemptTimeout, bytes, inFlight);
  }
}
