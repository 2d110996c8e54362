package com.example.drayage;

import static java.util.function.Predicate.not;
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
import java.io.InputStream;
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
 * The codecs of a library that lies in a plugin, in a container, or beside somebody's broken jar:
 * each test loads it anew.
 */
class ClassLoadersTest {
  private static final List<String> SERIALIZERS = List.of("raw");
  private static final ClassLoader NOTHING_BUT_THE_JDK = ClassLoader.getPlatformClassLoader();

  @TempDir Path folder;

  /** Says that it is one of this library's. */
  public static final class TakesANumber extends Named {
    public TakesANumber() {
      super(2, "mine");
    }
  }

  /** Says that it is one of this library's. */
  public static final class TakesAName extends Named {
    public TakesAName() {
      super(140, "raw");
    }
  }

  /** In order. */
  public static final class Sound extends Named {
    public Sound() {
      super(141, "sound");
    }
  }

  /** In order, but for the number, which is the one above. */
  public static final class AlsoSound extends Named {
    public AlsoSound() {
      super(141, "also-sound");
    }
  }

  /** Fails when it is made. */
  public static final class Broken extends Named {
    public Broken() {
      super(142, "broken");
      throw new IllegalStateException("no licence");
    }
  }

  /** A serializer that is never used. */
  abstract static class Named implements Serializer {
    private final int id;
    private final String name;

    Named(int id, String name) {
      this.id = id;
      this.name = name;
    }

    @Override
    public int id() {
      return id;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public List<Serializer> variants() {
      return List.of();
    }

    @Override
    public SegmentSerializer newSegmentSerializer() {
      throw new UnsupportedOperationException();
    }
  }

  @Test
  void aPluginHasTheBuiltInOnesWhateverTheContextIs() throws Exception {
    ClassLoader anotherCopy = getClass().getClassLoader();
    try (URLClassLoader container = withLibrary(NOTHING_BUT_THE_JDK)) {
      List<@Nullable ClassLoader> contexts = new ArrayList<>();
      contexts.add(null);
      contexts.add(NOTHING_BUT_THE_JDK);
      contexts.add(anotherCopy);
      contexts.add(container);
      for (ClassLoader context : contexts) {
        try (URLClassLoader plugin = withLibrary(NOTHING_BUT_THE_JDK)) {
          assertThat(serializers(plugin, context)).as("context %s", context).isEqualTo(SERIALIZERS);
          assertThat(compressors(plugin, context))
              .as("context %s", context)
              .containsExactly("none", "lz4", "lz4hc", "zstd", "deflate", "xz");
        }
      }
    }
  }

  @Test
  void whatLiesBesideTheLibraryIsFoundWhateverTheContextIs() throws Exception {
    Path jar = jar("beside", Serializer.class, DeltaSerializer.class);
    try (URLClassLoader plugin = withLibrary(NOTHING_BUT_THE_JDK, jar)) {
      assertThat(serializers(plugin, NOTHING_BUT_THE_JDK)).contains("delta", "raw");
    }
  }

  @Test
  void whatTheContextHasIsFoundAsWell() throws Exception {
    Path jar = jar("application", Compressor.class, HuffmanCompressor.class);
    try (URLClassLoader container = withLibrary(NOTHING_BUT_THE_JDK);
        URLClassLoader application = new URLClassLoader(urls(jar), container)) {
      assertThat(compressors(container, application)).contains("huffman", "zstd");
    }
  }

  @Test
  void whatBothHaveIsThereOnce() throws Exception {
    Path jar = jar("both", Serializer.class, DeltaSerializer.class);
    try (URLClassLoader container = withLibrary(NOTHING_BUT_THE_JDK, jar);
        URLClassLoader application = new ChildFirst(urls(jar), container)) {
      assertThat(serializers(container, application)).containsOnlyOnce("delta").contains("raw");
    }
  }

  @Test
  void aForeignJarCostsNothingButWhatIsWrongInIt() throws Exception {
    Path jar =
        jar(
            "foreign",
            Serializer.class,
            TakesANumber.class,
            Broken.class,
            TakesAName.class,
            HuffmanCompressor.class, // no serializer
            DeltaSerializer.class);
    Files.writeString(
        jar.resolve("META-INF/services/" + Serializer.class.getName()),
        "com.example.Missing\n" + RawSerializer.class.getName() + "\n", // as in a merged jar
        StandardOpenOption.APPEND);
    try (URLClassLoader plugin = withLibrary(NOTHING_BUT_THE_JDK, jar)) {
      assertThat(serializers(plugin, null)).containsExactly("raw", "delta");
      assertThatThrownBy(() -> call(plugin, null, Serializers.class, "ofName", "mine"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll(
              "TakesANumber cannot be the serializer 'mine' (2): io.drayage.codec.raw."
                  + "RawSerializer already is 'raw' (2)",
              "TakesAName cannot be the serializer 'raw' (140)",
              "Broken could not be instantiated: java.lang.IllegalStateException: no licence",
              "HuffmanCompressor not a subtype",
              "com.example.Missing not found")
          .hasMessageNotContaining("RawSerializer cannot");
    }
  }

  @Test
  void ofTwoJarsThatClaimOneNumberNeitherIsUsed() throws Exception {
    Path one = jar("one", Serializer.class, Sound.class);
    Path other = jar("other", Serializer.class, AlsoSound.class, DeltaSerializer.class);
    try (URLClassLoader plugin = withLibrary(NOTHING_BUT_THE_JDK, one, other)) {
      assertThat(serializers(plugin, null))
          .contains("delta", "raw")
          .doesNotContain("sound", "also-sound");
      assertThatThrownBy(() -> call(plugin, null, Serializers.class, "ofId", 141))
          .hasMessageContaining("AlsoSound already is 'also-sound' (141)");
    }
  }

  @Test
  void aBrokenPipelineCostsNoOther() throws Exception {
    Path jar = jar("pipeline", PipelineReceiver.class, Sound.class);
    try (URLClassLoader plugin = withLibrary(NOTHING_BUT_THE_JDK, jar)) {
      assertThat(call(plugin, null, PipelineReceivers.class, "installed")).isNotNull();
    }
  }

  private static List<String> serializers(ClassLoader library, @Nullable ClassLoader context)
      throws Exception {
    return strings(call(library, context, Serializers.class, "names"));
  }

  private static List<String> compressors(ClassLoader library, @Nullable ClassLoader context)
      throws Exception {
    return strings(call(library, context, Compressors.class, "all")).stream()
        .map(name -> name.replaceAll(":.*", ""))
        .map(name -> name.startsWith("com.example") ? "huffman" : name)
        .toList();
  }

  private static List<String> strings(Object list) {
    return ((List<?>) list).stream().map(String::valueOf).toList();
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

  /** A loader with a copy of the library, what it needs, and further folders. */
  private static URLClassLoader withLibrary(ClassLoader parent, Path... others) throws IOException {
    List<URL> urls = new ArrayList<>();
    for (Class<?> type :
        List.of(Serializers.class, LZ4Factory.class, Zstd.class, XZ.class, Nullable.class)) {
      urls.add(type.getProtectionDomain().getCodeSource().getLocation());
    }
    urls.addAll(List.of(urls(others)));
    return new URLClassLoader(urls.toArray(URL[]::new), parent);
  }

  private static URL[] urls(Path... folders) throws IOException {
    URL[] urls = new URL[folders.length];
    for (int i = 0; i < urls.length; i++) {
      urls[i] = folders[i].toUri().toURL();
    }
    return urls;
  }

  /** A folder with the classes of providers and a service file that names them. */
  private Path jar(String name, Class<?> service, Class<?>... providers)
      throws IOException, URISyntaxException {
    Path jar = folder.resolve(name);
    Path services = Files.createDirectories(jar.resolve("META-INF/services"));
    Files.write(
        services.resolve(service.getName()), Stream.of(providers).map(Class::getName).toList());
    for (Class<?> provider : providers) {
      copyWithNested(provider, jar);
      if (provider.getSuperclass() == Named.class) {
        copyWithNested(Named.class, jar);
      }
    }
    return jar;
  }

  private static void copyWithNested(Class<?> type, Path jar)
      throws IOException, URISyntaxException {
    Path tests = Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    Path folder = tests.resolve(type.getPackageName().replace('.', '/'));
    String name = type.getName().substring(type.getPackageName().length() + 1);
    Path to = Files.createDirectories(jar.resolve(tests.relativize(folder).toString()));
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file :
          files
              .filter(
                  each ->
                      each.getFileName().toString().matches("\\Q" + name + "\\E(\\$.*)?\\.class"))
              .filter(not(each -> Files.exists(to.resolve(each.getFileName()))))
              .toList()) {
        try (InputStream in = Files.newInputStream(file)) {
          Files.copy(in, to.resolve(file.getFileName()));
        }
      }
    }
  }

  /** As those of applications in a container: its own classes before its parent's. */
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
