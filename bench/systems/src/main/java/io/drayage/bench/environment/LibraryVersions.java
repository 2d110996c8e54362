package io.drayage.bench.environment;

import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/**
 * The versions of the libraries on the class path that affect speed, read from the jars themselves:
 * a declared version may differ from the loaded one.
 */
final class LibraryVersions {
  /** A class of each library, by the library's name. Any of the classes may be missing. */
  private static final Map<String, String> MARKER_CLASSES = markerClasses();

  private LibraryVersions() {}

  private static Map<String, String> markerClasses() {
    Map<String, String> classes = new LinkedHashMap<>();
    classes.put("netty", "io.netty.channel.Channel");
    classes.put("grpc", "io.grpc.ManagedChannel");
    classes.put("jctools", "org.jctools.queues.MpscArrayQueue");
    classes.put("kryo", "com.esotericsoftware.kryo.Kryo");
    classes.put("msgpack", "org.msgpack.core.MessagePack");
    classes.put("lz4-java", "net.jpountz.lz4.LZ4Factory");
    classes.put("zstd-jni", "com.github.luben.zstd.Zstd");
    classes.put("xz", "org.tukaani.xz.XZ");
    classes.put("async-profiler", "one.profiler.AsyncProfiler");
    classes.put("jmh", "org.openjdk.jmh.runner.Runner");
    classes.put("tpch", "io.trino.tpch.TpchTable");
    return classes;
  }

  /** Returns the versions of the libraries that are on the class path, by name. */
  static Map<String, String> onClassPath() {
    Map<String, String> versions = new LinkedHashMap<>();
    MARKER_CLASSES.forEach(
        (library, markerClass) ->
            jarOf(markerClass).ifPresent(jar -> versions.put(library, version(jar))));
    return Collections.unmodifiableMap(versions);
  }

  private static Optional<Path> jarOf(String className) {
    try {
      Class<?> marker = Class.forName(className, false, LibraryVersions.class.getClassLoader());
      CodeSource source = marker.getProtectionDomain().getCodeSource();
      return source == null || source.getLocation() == null
          ? Optional.empty()
          : Optional.of(Path.of(source.getLocation().toURI())).filter(Files::isRegularFile);
    } catch (ClassNotFoundException | LinkageError | URISyntaxException e) {
      return Optional.empty();
    }
  }

  /** Returns the version in Maven's pom in the jar, else in the manifest, else in the name. */
  static String version(Path jarPath) {
    try (JarFile jar = new JarFile(jarPath.toFile())) {
      Optional<String> fromPom = pomVersion(jar);
      return fromPom.isPresent() ? fromPom.get() : manifestVersion(jar, jarPath);
    } catch (IOException e) {
      return jarPath.getFileName().toString();
    }
  }

  /** Returns the version if there is one pom: a shaded jar contains the poms of other libraries. */
  private static Optional<String> pomVersion(JarFile jar) throws IOException {
    JarEntry[] poms =
        jar.stream()
            .filter(entry -> entry.getName().matches("META-INF/maven/.*/pom\\.properties"))
            .toArray(JarEntry[]::new);
    if (poms.length != 1) {
      return Optional.empty();
    }
    Properties pom = new Properties();
    try (InputStream in = jar.getInputStream(poms[0])) {
      pom.load(in);
    }
    return Optional.ofNullable(pom.getProperty("version"));
  }

  private static String manifestVersion(JarFile jar, Path jarPath) throws IOException {
    Manifest manifest = jar.getManifest();
    Attributes attributes = manifest == null ? new Attributes() : manifest.getMainAttributes();
    String implementation = attributes.getValue(Attributes.Name.IMPLEMENTATION_VERSION);
    if (implementation != null) {
      return implementation;
    }
    String bundle = attributes.getValue("Bundle-Version");
    return bundle != null ? bundle : jarPath.getFileName().toString();
  }
}
