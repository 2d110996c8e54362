package io.drayage.transport.netty.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.drayage.transport.Transport;
import io.drayage.transport.netty.NettyTransport;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.unix.Unix;
import io.netty.channel.uring.IoUring;
import io.netty.handler.ssl.SslContext;
import io.netty.util.Version;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jctools.queues.MpscArrayQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The transport on class paths with another Netty: each class path loads it anew. */
final class NettyVersionTest {
  private static final String VERSIONS = "META-INF/io.netty.versions.properties";

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {"transport 4.1.113.Final", "handler 4.0.56.Final", "transport 3.10.6.Final"})
  void namesAnOlderNettyAmongNewPartsAtTheFirstUse(String old) throws Exception {
    Path versions =
        versions(
            "netty-common.version=4.2.18.Final",
            "netty-%s".formatted(old.replace(" ", ".version=")));
    try (Program program = new Program(versions, Set.of())) {
      assertThatThrownBy(() -> program.call("best"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContainingAll(
              "netty-" + old, "needs Netty 4.2", folder.toString(), "io.drayage:drayage-bom");
    }
  }

  @Test
  void namesWhatIsMissingWhereNoVersionIsStated() throws Exception {
    String missing = "io.netty.channel.IoHandlerFactory";
    try (Program program = new Program(versions(), Set.of(missing))) {
      assertThatThrownBy(() -> program.call("best"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContainingAll("a Netty without " + missing, "needs Netty 4.2");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"4.2.0.Final", "4.2.18.Final", "4.10.0.Final", "5.0.0", "of our own"})
  void takesAnotherThatIsNotOlder(String version) throws Exception {
    try (Program program = new Program(versions("netty-common.version=" + version), Set.of())) {
      assertThat(program.call("best")).isNotNull();
    }
  }

  private Path versions(String... lines) throws IOException {
    return Files.write(folder.resolve("versions.properties"), List.of(lines));
  }

  /** A class path with the libraries, other stated versions of Netty, and some classes missing. */
  private static final class Program extends URLClassLoader {
    private final Path versions;
    private final Set<String> missing;

    Program(Path versions, Set<String> missing) {
      super(classPath(), ClassLoader.getPlatformClassLoader());
      this.versions = versions;
      this.missing = missing;
    }

    private static URL[] classPath() {
      return Stream.of(
              NettyTransport.class,
              Transport.class,
              ByteBuf.class,
              Channel.class,
              Epoll.class,
              IoUring.class,
              Unix.class,
              SslContext.class,
              Version.class,
              Future.class,
              MpscArrayQueue.class)
          .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
          .toArray(URL[]::new);
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      if (missing.contains(name)) {
        throw new ClassNotFoundException(name);
      }
      return super.findClass(name);
    }

    @Override
    public Enumeration<URL> findResources(String name) throws IOException {
      return name.equals(VERSIONS)
          ? Collections.enumeration(List.of(versions.toUri().toURL()))
          : super.findResources(name);
    }

    Object call(String method) throws Exception {
      try {
        return Class.forName(NettyTransport.class.getName(), true, this)
            .getMethod(method)
            .invoke(null);
      } catch (InvocationTargetException e) {
        throw e.getCause() instanceof Exception cause ? cause : e;
      }
    }
  }
}
