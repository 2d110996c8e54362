package io.drayage.admin;

import static io.drayage.testing.Refusals.assertFails;

import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Class paths without the artifacts for monitoring. Each test loads the classes anew. */
final class OptionalArtifactTest {
  @ParameterizedTest
  @ValueSource(strings = {"io.micrometer.prometheusmetrics.", "io.micrometer."})
  void metersNameTheRegistryThatIsMissing(String missing) throws Exception {
    try (Program program = new Program(missing)) {
      assertFails(
          () -> program.meters(),
          IllegalStateException.class,
          "add it; io.drayage:drayage-bom has its version",
          "needs io.micrometer:micrometer-registry-prometheus (");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "io.drayage.transport.netty.http.PageServer, io.drayage:drayage-transport-netty",
    "io.netty.handler.codec.http., io.netty:netty-codec-http",
  })
  void anEndpointNamesTheArtifactThatIsMissing(String missing, String artifact) throws Exception {
    try (Program program = new Program(missing)) {
      assertFails(program::endpoint, IllegalStateException.class, "needs " + artifact + " (");
    }
  }

  /** This class path, without the classes whose names have a prefix. */
  private static final class Program extends URLClassLoader {
    private final String missing;

    Program(String missing) {
      super(classPath(), ClassLoader.getPlatformClassLoader());
      this.missing = missing;
    }

    private static URL[] classPath() {
      return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
          .map(Program::url)
          .toArray(URL[]::new);
    }

    private static URL url(String entry) {
      try {
        return Path.of(entry).toUri().toURL();
      } catch (MalformedURLException e) {
        throw new IllegalArgumentException(entry, e);
      }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      if (name.startsWith(missing)) {
        throw new ClassNotFoundException(name);
      }
      return super.findClass(name);
    }

    Object meters() throws Throwable {
      try {
        return loadClass(NodeMeters.class.getName())
            .getConstructor(Duration.class)
            .newInstance(Duration.ofSeconds(6));
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    }

    /** The endpoint looks for its artifacts before it uses its arguments. */
    void endpoint() throws Throwable {
      for (Method start : loadClass(AdminEndpoint.class.getName()).getMethods()) {
        if (start.getName().equals("start") && start.getParameterCount() == 6) {
          try {
            start.invoke(null, new Object[6]);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        }
      }
    }
  }
}
