package io.drayage.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.slf4j.LoggerFactory;
import org.slf4j.jul.JDK14LoggerFactory;

/** Messages of SLF4J to a program that embeds the library. Each test loads both anew. */
@Isolated("standard error")
final class Slf4jTest {
  @Test
  void aProgramWithoutAProviderIsNotTold() throws Exception {
    try (URLClassLoader program = loader(Slf4j.class, LoggerFactory.class)) {
      assertThat(said(program)).isEmpty();
      assertThat(System.getProperty("slf4j.internal.verbosity")).isNull();
    }
  }

  @Test
  void theProviderOfAProgramIsUsed() throws Exception {
    try (URLClassLoader program =
        loader(Slf4j.class, LoggerFactory.class, JDK14LoggerFactory.class)) {
      assertThat(said(program)).isEmpty();
      Object factory =
          Class.forName(LoggerFactory.class.getName(), true, program)
              .getMethod("getILoggerFactory")
              .invoke(null);
      assertThat(factory.getClass().getName()).isEqualTo(JDK14LoggerFactory.class.getName());
    }
  }

  /** The text on standard error after SLF4J is prepared and then used. */
  private static String said(ClassLoader program) throws Exception {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    PrintStream stderr = System.err;
    System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
    try {
      Class.forName(Slf4j.class.getName(), true, program).getMethod("prepare").invoke(null);
      Class.forName(LoggerFactory.class.getName(), true, program)
          .getMethod("getLogger", String.class)
          .invoke(null, "any");
    } finally {
      System.setErr(stderr);
    }
    return said.toString(StandardCharsets.UTF_8);
  }

  private static URLClassLoader loader(Class<?>... of) {
    URL[] urls =
        Stream.of(of)
            .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
            .toArray(URL[]::new);
    return new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
  }
}
