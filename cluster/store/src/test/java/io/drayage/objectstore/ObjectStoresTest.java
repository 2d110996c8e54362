package io.drayage.objectstore;

import static io.drayage.testing.Refusals.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.cargo.ChangeCargo;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;

/** Tests stores in programs without the S3 client. */
final class ObjectStoresTest {
  @TempDir Path folder;

  @Test
  void aFolderNeedsNoClientOfS3() throws Exception {
    try (URLClassLoader program = program();
        AutoCloseable store = (AutoCloseable) open(program, "fs:" + folder)) {
      assertThat(store).isNotNull();
    }
  }

  @Test
  void aMissingClientOfS3IsNamed() throws Exception {
    try (URLClassLoader program = program(UrlConnectionHttpClient.class)) {
      assertFails(
          () -> open(program, "s3:bucket/prefix"),
          IOException.class,
          "s3:bucket/prefix",
          "software.amazon.awssdk:s3",
          "software.amazon.awssdk:url-connection-client");
    }
  }

  /** A program with all that the store needs, and with further classes. */
  private static URLClassLoader program(Class<?>... more) {
    URL[] urls =
        Stream.concat(
                Stream.of(ObjectStores.class, ChangeCargo.class, LoggerFactory.class),
                Stream.of(more))
            .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
            .toArray(URL[]::new);
    return new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
  }

  private static Object open(ClassLoader program, String name) throws Exception {
    try {
      return Class.forName(ObjectStores.class.getName(), true, program)
          .getMethod("open", String.class)
          .invoke(null, name);
    } catch (InvocationTargetException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }
}
