package io.drayage.objectstore;

import static io.drayage.internal.Texts.format;

import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The bucket, and the address of its server. Credentials come from the SDK: the environment
 * variables {@code AWS_ACCESS_KEY_ID} and {@code AWS_SECRET_ACCESS_KEY}, the system properties
 * {@code aws.accessKeyId} and {@code aws.secretAccessKey}, a profile, or the role of the machine.
 *
 * @param bucket must exist
 * @param prefix prepended to every key; empty, or ends in a slash
 * @param endpoint of a server other than AWS; null for AWS
 * @param region of the bucket; null for the SDK's settings
 * @param attemptTimeout after which one request is aborted and repeated
 * @param partBytes length of the first parts of an upload, at least {@link #MIN_PART_BYTES}
 * @param partsInFlight limit of the parts of one upload in flight, which are all in memory
 */
public record S3Options(
    String bucket,
    String prefix,
    @Nullable URI endpoint,
    @Nullable String region,
    Duration attemptTimeout,
    int partBytes,
    int partsInFlight) {
  /** The minimum for every part but the last. */
  public static final int MIN_PART_BYTES = 5 << 20;

  /** The default of {@link #partBytes}. */
  public static final int DEFAULT_PART_BYTES = 8 << 20;

  /** The default of {@link #partsInFlight}. */
  public static final int DEFAULT_PARTS_IN_FLIGHT = 4;

  /** The default of {@link #attemptTimeout}, in seconds. */
  public static final int DEFAULT_ATTEMPT_TIMEOUT_S = 30;

  private static final List<String> NAMES =
      List.of("endpoint", "region", "attempt-timeout", "part-bytes", "parts-in-flight");

  private static final Pattern BUCKET = Pattern.compile("[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]");

  /**
   * @throws IllegalArgumentException if a value is out of range
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
          format("partBytes must be %,d or more, not %,d", MIN_PART_BYTES, partBytes));
    }
    if (partsInFlight < 1) {
      throw new IllegalArgumentException("partsInFlight must be 1 or more, not " + partsInFlight);
    }
  }

  /**
   * Parses options: {@code BUCKET[/PREFIX][?OPTION&OPTION...]}, where an option is {@code
   * endpoint=URL}, {@code region=NAME}, {@code attempt-timeout=SECONDS}, {@code part-bytes=N} or
   * {@code parts-in-flight=N}.
   *
   * @throws IllegalArgumentException if the text is not valid
   */
  public static S3Options parse(String text) {
    int question = text.indexOf('?');
    String path = question < 0 ? text : text.substring(0, question);
    Map<String, String> options = new HashMap<>();
    if (question >= 0) {
      for (String option : text.substring(question + 1).split("&", -1)) {
        String[] pair = option.split("=", 2);
        if (!NAMES.contains(pair[0])) {
          throw new IllegalArgumentException(
              "'%s' is not an option of S3: expected one of %s"
                  .formatted(pair[0], String.join(", ", NAMES)));
        }
        options.put(pair[0], pair[pair.length - 1]);
      }
    }
    int slash = path.indexOf('/');
    String prefix = slash < 0 ? "" : path.substring(slash + 1);
    String endpoint = options.get("endpoint");
    return new S3Options(
        slash < 0 ? path : path.substring(0, slash),
        prefix.isEmpty() || prefix.endsWith("/") ? prefix : prefix + "/",
        endpoint == null ? null : URI.create(endpoint),
        options.get("region"),
        Duration.ofSeconds(number(options, "attempt-timeout", DEFAULT_ATTEMPT_TIMEOUT_S)),
        number(options, "part-bytes", DEFAULT_PART_BYTES),
        number(options, "parts-in-flight", DEFAULT_PARTS_IN_FLIGHT));
  }

  private static int number(Map<String, String> options, String name, int unless) {
    String value = options.get(name);
    try {
      return value == null ? unless : Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("%s: '%s' is not a number".formatted(name, value), e);
    }
  }
}
