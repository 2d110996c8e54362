package io.drayage.bench.rig;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The archive of classes with which a JVM of ours starts. The starter of this JVM decides whether
 * there is one; its children use the same. The JVM checks that the archive fits: made by this JDK,
 * from these jars, with compatible options. If not, the JVM starts without the archive.
 */
public final class ClassArchive {
  private static final int FIRST_JDK_WITH_AOT_CACHE = 25;
  private static final List<String> OPTIONS =
      List.of(
          "-XX:AOTCache",
          "-XX:SharedArchiveFile",
          "-XX:ArchiveClassesAtExit",
          "-Xlog:aot",
          "-Xlog:cds");

  /** Contains among others whether the JVM uses an archive, its own included. */
  private static final String VM_INFO = "java.vm.info";

  private ClassArchive() {}

  /** The format of an archive. */
  public enum Form {
    /** Loaded and linked classes, with profiles of their methods (JEP 483, 514, 515). */
    AOT_CACHE(".aot", "-XX:AOTCacheOutput=", "-XX:AOTCache=", "-Xlog:aot*=off"),
    /**
     * Classes in addition to those of the JDK's own archive. If the archive does not fit, the JVM
     * logs this in a line of its own, if it can, and not among the results.
     */
    CLASS_DATA(
        ".jsa",
        "-XX:ArchiveClassesAtExit=",
        "-XX:SharedArchiveFile=",
        "-Xlog:cds*=off -Xlog:cds*=warning:stderr");

    private final String suffix;
    private final String recordOption;
    private final String useOption;

    /** Options separated by spaces. */
    private final String logging;

    Form(String suffix, String recordOption, String useOption, String logging) {
      this.suffix = suffix;
      this.recordOption = recordOption;
      this.useOption = useOption;
      this.logging = logging;
    }

    /** Returns the best format of this JVM. */
    public static Form ofThisJvm() {
      return Runtime.version().feature() >= FIRST_JDK_WITH_AOT_CACHE ? AOT_CACHE : CLASS_DATA;
    }

    /** Returns the suffix of its file names. */
    public String suffix() {
      return suffix;
    }

    /** Returns the options of a JVM that writes the archive when it ends. */
    public List<String> record(Path archive) {
      return List.of(recordOption + archive);
    }

    /** Returns the options of a JVM that starts with the archive. */
    public List<String> use(Path archive) {
      return Stream.concat(Stream.of(useOption + archive), Stream.of(logging.split(" ", -1)))
          .toList();
    }
  }

  /** Returns the options with which this JVM uses an archive; empty if there is none. */
  static List<String> ofThisJvm() {
    return ofArchive(ManagementFactory.getRuntimeMXBean().getInputArguments()).toList();
  }

  /** Returns a line if this JVM was started with an archive that does not fit; null if it fits. */
  public static @Nullable String whyUnused() {
    boolean inUse = System.getProperty(VM_INFO, "").contains("sharing");
    return inUse || ofThisJvm().isEmpty()
        ? null
        : "no archive of classes: %s does not fit this JDK, these jars or these options of the JVM"
            .formatted(ofThisJvm().get(0));
  }

  /** Returns the arguments of a JVM without those for archives. */
  public static List<String> without(List<String> arguments) {
    List<String> of = ofArchive(arguments).toList();
    return arguments.stream().filter(argument -> !of.contains(argument)).toList();
  }

  private static Stream<String> ofArchive(List<String> arguments) {
    return arguments.stream().filter(argument -> OPTIONS.stream().anyMatch(argument::startsWith));
  }
}
