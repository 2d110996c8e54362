package com.example.drayage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import io.drayage.codec.Compressor;
import io.drayage.codec.Compressors;
import io.drayage.codec.Serializer;
import io.drayage.codec.Serializers;
import io.drayage.codec.raw.RawSerializer;
import io.drayage.receive.PipelineReceiver;
import io.drayage.receive.PipelineReceivers;
import io.drayage.segment.SegmentSerializer;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import net.jpountz.lz4.LZ4Factory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tukaani.xz.XZ;

/**
 * Tests the codecs of a library in a plugin, in a container, or beside a user's broken jar. Each
 * test loads the library anew.
 */
class ClassLoadersTest {
  private static final ClassLoader JDK = ClassLoader.getPlatformClassLoader();

  @TempDir Path folder;

  /** Fails when it is made. */
  public static final class Broken implements Serializer {
    public Broken() {
      throw new IllegalStateException("no licence");
    }

    @Override
    public int id() {
      return 142;
    }

    @Override
    public String name() {
      return "broken";
    }

    @Override
    public SegmentSerializer newSegmentSerializer() {
      throw new UnsupportedOperationException();
    }
  }

  @Test
  void aPluginHasTheBuiltInOnesWhateverTheContextIs() throws Exception {
    List<@Nullable ClassLoader> contexts = new ArrayList<>();
    contexts.add(null);
    contexts.addAll(List.of(JDK, getClass().getClassLoader(), withLibrary()));
    for (ClassLoader context : contexts) {
      ClassLoader plugin = withLibrary();
      assertThat(serializers(plugin, context)).as("context %s", context).containsExactly("raw");
      assertThat(compressors(plugin, context))
          .as("context %s", context)
          .containsExactly("none", "lz4", "lz4hc", "zstd", "deflate", "xz");
    }
  }

  @Test
  void whatLiesBesideTheLibraryAndWhatTheContextHasIsFoundOnce() throws Exception {
    Path delta = jar("delta", Serializer.class, DeltaSerializer.class);
    Path huffman = jar("huffman", Compressor.class, HuffmanCompressor.class);
    ClassLoader plugin = withLibrary(delta);
    assertThat(serializers(plugin, JDK)).containsExactlyInAnyOrder("delta", "raw");

    ClassLoader container = withLibrary();
    assertThat(compressors(container, new URLClassLoader(urls(huffman), container)))
        .contains("huffman", "zstd");

    ClassLoader both = withLibrary(delta);
    assertThat(serializers(both, new ChildFirst(urls(delta), both)))
        .containsExactlyInAnyOrder("delta", "raw");
  }

  @Test
  void aForeignJarCostsNothingButWhatIsWrongInIt() throws Exception {
    Path jar =
        jar(
            "foreign",
            Serializer.class,
            Broken.class,
            HuffmanCompressor.class, // no serializer
            DeltaSerializer.class);
    Files.writeString(
        jar.resolve("META-INF/services/" + Serializer.class.getName()),
        "com.example.Missing\n" + RawSerializer.class.getName() + "\n", // as in a merged jar
        StandardOpenOption.APPEND);
    ClassLoader plugin = withLibrary(jar);

    assertThat(serializers(plugin, null)).containsExactly("raw", "delta");
    assertThatThrownBy(() -> call(plugin, null, Serializers.class, "ofName", "mine"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(
            "Broken could not be instantiated: java.lang.IllegalStateException: no licence",
            "HuffmanCompressor not a subtype",
            "com.example.Missing not found")
        .hasMessageNotContaining("RawSerializer cannot");
  }

  @Test
  void aBrokenPipelineCostsNoOther() throws Exception {
    ClassLoader plugin =
        withLibrary(jar("pipeline", PipelineReceiver.class, DeltaSerializer.class));
    assertThat(call(plugin, null, PipelineReceivers.class, "installed")).isNotNull();
  }

  private static List<String> serializers(ClassLoader library, @Nullable ClassLoader context)
      throws Exception {
    return strings(call(library, context, Serializers.class, "names")).toList();
  }

  private static List<String> compressors(ClassLoader library, @Nullable ClassLoader context)
      throws Exception {
    return strings(call(library, context, Compressors.class, "all"))
        .map(name -> name.startsWith("com.example") ? "huffman" : name.replaceAll(":.*", ""))
        .toList();
  }

  private static Stream<String> strings(Object list) {
    return ((List<?>) list).stream().map(String::valueOf);
  }

  /** Calls a static method of a class as {@code library} has it. */
  private static Object call(
      ClassLoader library,
      @Nullable ClassLoader context,
      Class<?> type,
      String method,
      Object... arguments)
      throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(context);
    try {
      Class<?> loaded = Class.forName(type.getName(), true, library);
      assertThat(loaded).isNotSameAs(type);
      return Stream.of(loaded.getMethods())
          .filter(each -> each.getName().equals(method))
          .findFirst()
          .orElseThrow()
          .invoke(null, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /** A loader with a copy of the library, its dependencies, and further folders. */
  private static ClassLoader withLibrary(Path... others) throws IOException {
    List<URL> urls = new ArrayList<>(List.of(urls(others)));
    for (Class<?> type :
        List.of(Serializers.class, LZ4Factory.class, Zstd.class, XZ.class, Nullable.class)) {
      urls.add(type.getProtectionDomain().getCodeSource().getLocation());
    }
    return new URLClassLoader(urls.toArray(URL[]::new), JDK);
  }

  private static URL[] urls(Path... folders) throws IOException {
    List<URL> urls = new ArrayList<>();
    for (Path each : folders) {
      urls.add(each.toUri().toURL());
    }
    return urls.toArray(URL[]::new);
  }

  /** A folder with the classes of this package and a service file that names providers. */
  private Path jar(String name, Class<?> service, Class<?>... providers)
      throws IOException, URISyntaxException {
    Path jar = folder.resolve(name);
    Path services = Files.createDirectories(jar.resolve("META-INF/services"));
    Files.write(
        services.resolve(service.getName()), Stream.of(providers).map(Class::getName).toList());
    Path to = Files.createDirectories(jar.resolve("com/example/drayage"));
    Path classes = Path.of(ClassLoadersTest.class.getResource("").toURI());
    try (Stream<Path> files = Files.list(classes)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
    return jar;
  }

  /** Loads its own classes before its parent's, like the loaders of applications in a container. */
  private static final class ChildFirst extends URLClassLoader {
    ChildFirst(URL[] urls, ClassLoader parent) {
      super(urls, parent);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        if (findLoadedClass(name) == null
            && findResource(name.replace('.', '/') + ".class") != null) {
          return findClass(name);
        }
        return super.loadClass(name, resolve);
      }
    }
  }
}
