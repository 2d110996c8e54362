package io.drayage.objectstore;

import java.util.Objects;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.exception.SdkServiceException;

/** Interprets the SDK's exceptions. */
final class S3Errors {
  static final int RANGE_NOT_SATISFIABLE = 416;

  private S3Errors() {}

  static boolean hasStatus(SdkException e, int status) {
    return e instanceof SdkServiceException answer && answer.statusCode() == status;
  }

  /** The reason, in one line. */
  static String reason(Exception e) {
    String message = Objects.requireNonNullElse(e.getMessage(), "");
    String line = message.lines().findFirst().orElse("");
    if (line.isEmpty() || line.startsWith("null")) {
      // Some servers answer without a text under load.
      line = (e.getClass().getSimpleName() + " " + line.replaceFirst("^null", "")).strip();
    }
    return e instanceof SdkServiceException answer && !line.contains("Status Code")
        ? "%s [status %d]".formatted(line, answer.statusCode())
        : line;
  }
}
