package io.drayage.bench.doctor;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.doctor.Finding.Mark;
import io.drayage.bench.environment.Environment;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/** The JVM that runs this, its heap, and which others are installed. */
final class JvmFindings {
  private static final int MIN_JAVA = 17;

  /** The first JDK that warns of sun.misc.Unsafe's memory access; 26 is to refuse it. */
  private static final int UNSAFE_WARNS_FROM = 24;

  /** The worker's, the transactor's, and as much again for base tables and frames on their way. */
  private static final int CARGO_COPIES = 3;

  private static final long MIN_HEAP_BYTES = 64L << 20;
  private static final double GIB = 1L << 30;
  private static final Path INSTALLED_JDKS = Path.of("/usr/lib/jvm");

  private JvmFindings() {}

  static List<Finding> find() {
    return List.of(
        jdk(Runtime.version().feature(), System.getProperty("java.vendor")),
        memory(Environment.physicalMemoryBytes(), Runtime.getRuntime().maxMemory()),
        otherJdks(INSTALLED_JDKS));
  }

  static Finding jdk(int feature, String vendor) {
    String value = Runtime.version() + ", " + vendor;
    if (feature < MIN_JAVA) {
      return Finding.required(Mark.NO, "JDK", value, "17 or later is needed");
    }
    return feature >= UNSAFE_WARNS_FROM
        ? Finding.required(
            Mark.NOTE, "JDK", value, "sun.misc.Unsafe is on its way out: kryo-unsafe may not run")
        : Finding.required(Mark.OK, "JDK", value, "runs every serializer");
  }

  static Finding memory(long physicalBytes, long maxHeapBytes) {
    String value = format("%.1f GiB, heap up to %.1f GiB", physicalBytes / GIB, maxHeapBytes / GIB);
    if (maxHeapBytes < MIN_HEAP_BYTES) {
      return Finding.required(
          Mark.NO, "memory", value, "too small a heap; try DRAYAGE_JAVA_OPTS=-Xmx1g");
    }
    String meaning = format("cargoes up to about %.0f GB", physicalBytes / 1e9 / CARGO_COPIES);
    return Finding.required(Mark.OK, "memory", value, meaning);
  }

  static Finding otherJdks(Path folder) {
    TreeMap<Integer, String> versions = new TreeMap<>();
    if (Files.isDirectory(folder)) {
      try (DirectoryStream<Path> homes = Files.newDirectoryStream(folder)) {
        homes.forEach(home -> addVersion(versions, home));
      } catch (IOException e) {
        return Finding.of(
            Mark.NOTE, "JDKs installed", "unknown", folder + " cannot be read: " + e.getMessage());
      }
    }
    String value = versions.isEmpty() ? "none found" : String.join(", ", versions.values());
    return versions.size() >= 2
        ? Finding.of(Mark.OK, "JDKs installed", value, "choose one with DRAYAGE_JAVA_HOME")
        : Finding.of(
            Mark.NOTE, "JDKs installed", value, "no second one in " + folder + " to compare with");
  }

  /** The version of a JDK stands in a file, so none has to be started. */
  private static void addVersion(Map<Integer, String> versions, Path home) {
    Path release = home.resolve("release");
    if (!Files.isExecutable(home.resolve("bin/java")) || !Files.isReadable(release)) {
      return;
    }
    try (InputStream in = Files.newInputStream(release)) {
      Properties properties = new Properties();
      properties.load(in);
      String version = properties.getProperty("JAVA_VERSION", "").replace("\"", "");
      versions.put(Runtime.Version.parse(version).feature(), version);
    } catch (IOException | IllegalArgumentException e) {
      // Not a JDK that can be told; a doctor that fails over it would be of less use.
      return;
    }
  }
}
