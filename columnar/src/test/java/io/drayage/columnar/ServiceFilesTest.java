package io.drayage.columnar;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.codec.Serializers;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Collections;
import java.util.Enumeration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests a jar that was merged from others, whose service files were lost. */
final class ServiceFilesTest {
  @Test
  void theSerializerIsFoundWithoutThem() throws Exception {
    try (URLClassLoader jar = new Merged()) {
      Object names = jar.loadClass(Serializers.class.getName()).getMethod("names").invoke(null);
      assertThat(String.valueOf(names)).contains("raw, columnar, ", "columnar-dense");
    }
  }

  private static final class Merged extends URLClassLoader {
    Merged() {
      super(
          Stream.of(Serializers.class, ColumnarSerializer.class)
              .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
              .toArray(URL[]::new),
          ClassLoader.getPlatformClassLoader());
    }

    @Override
    public Enumeration<URL> findResources(String name) throws IOException {
      return name.startsWith("META-INF/services/")
          ? Collections.emptyEnumeration()
          : super.findResources(name);
    }
  }
}
