package io.drayage.objectstore;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.s3.model.S3Exception;

class WriteFailureTest {
  static Stream<Arguments> ofFiles() {
    return Stream.of(
        Arguments.of(WriteFailure.FULL, new IOException("No space left on device")),
        Arguments.of(
            WriteFailure.FULL, new FileSystemException("/s/f", null, "Disk quota exceeded")),
        Arguments.of(WriteFailure.FULL, new IOException("There is not enough space on the disk")),
        Arguments.of(WriteFailure.DENIED, new AccessDeniedException("/s/f")),
        Arguments.of(
            WriteFailure.DENIED, new FileSystemException("/s/f", null, "Read-only file system")),
        Arguments.of(WriteFailure.OTHER, new IOException("Input/output error")),
        Arguments.of(WriteFailure.OTHER, new IllegalStateException("no space left on device")));
  }

  @ParameterizedTest
  @MethodSource
  void ofFiles(WriteFailure expected, Exception failure) {
    assertThat(WriteFailure.of(failure)).isEqualTo(expected);
    ObjectStoreException named = new ObjectStoreException("fs:/s", "f", "it failed", failure);
    assertThat(WriteFailure.of(named)).isEqualTo(expected);
    assertThat(expected.mayPass()).isEqualTo(expected != WriteFailure.OTHER);
  }

  @ParameterizedTest
  @CsvSource({
    "FULL, 507, XMinioStorageFull",
    "FULL, 403, QuotaExceeded",
    "DENIED, 403, AccessDenied",
    "UNREACHABLE, 503, SlowDown",
    "UNREACHABLE, 500, InternalError",
    "OTHER, 404, NoSuchBucket",
    "OTHER, 400, InvalidRequest"
  })
  void ofS3(WriteFailure expected, int status, String code) {
    AwsErrorDetails details = AwsErrorDetails.builder().errorCode(code).errorMessage(code).build();
    assertThat(
            S3Calls.writeFailure(
                S3Exception.builder().statusCode(status).awsErrorDetails(details).build()))
        .isEqualTo(expected);
  }

  @Test
  void ofAServerThatIsNotThere() {
    IOException refused = new IOException("Connection refused");
    assertThat(S3Calls.writeFailure(SdkClientException.create("it failed", refused)))
        .isEqualTo(WriteFailure.UNREACHABLE);
  }
}
