package io.drayage.objectstore.s3;

import java.util.Objects;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.exception.SdkServiceException;

/** What the SDK's exceptions say. */
final class S3Errors {
  static final int RANGE_NOT_SATISFIABLE = 416;

  private S3Errors() {}

  static boolean hasStatus(SdkException e, int status) {
    return e instanceof SdkServiceException answer && answer.statusCode() == status;
  }

  /** In one line. */
  static String reason(Exception e) {
    String message = Objects.requireNonNullElse(e.getMessage(), e.getClass().getSimpleName());
    return message.lines().findFirst().orElse(message);
  }
}
