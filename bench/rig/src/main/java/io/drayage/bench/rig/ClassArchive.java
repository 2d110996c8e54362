package io.drayage.bench.rig;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The archive of classes that a JVM of ours starts with. Whether there is one is decided where this
 * JVM was started; its children use the same. The JVM checks that it fits: made by this JDK, from
 * these jars, with options that agree; if not, it starts without.
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

  /** Tells among others whether the JVM uses an archive, its own included. */
  private static final String VM_INFO = "java.vm.info";

  private ClassArchive() {}

  /** What a JDK calls an archive. */
  public enum Form {
    /** Loaded and linked classes, with profiles of their methods (JEP 483, 514, 515). */
    AOT_CACHE(".aot", "-XX:AOTCacheOutput=", "-XX:AOTCache=", "-Xlog:aot*=off"),
    /**
     * Classes beside those of the JDK's own archive. Where the JVM can say in a line that it does
     * not fit, it does, not between the results.
     */
    CLASS_DATA(
        ".jsa",
        "-XX:ArchiveClassesAtExit=",
        "-XX:SharedArchiveFile=",
        "-Xlog:cds*=off -Xlog:cds*=warning:stderr");

    private final String suffix;
    private final String recordOption;
    private final String useOption;

    /** Separated by spaces. */
    private final String logging;

    Form(String suffix, String recordOption, String useOption, String logging) {
      this.suffix = suffix;
      this.recordOption = recordOption;
      this.useOption = useOption;
      this.logging = logging;
    }

    /** The best that this JVM has. */
    public static Form ofThisJvm() {
      return Runtime.version().feature() >= FIRST_JDK_WITH_AOT_CACHE ? AOT_CACHE : CLASS_DATA;
    }

    /** What its file names end with. */
    public String suffix() {
      return suffix;
    }

    /** Options of a JVM that writes it when it ends. */
    public List<String> record(Path archive) {
      return List.of(recordOption + archive);
    }

    /** Options of a JVM that starts with it. */
    public List<String> use(Path archive) {
      return Stream.concat(Stream.of(useOption + archive), Stream.of(logging.split(" ", -1)))
          .toList();
    }
  }

  /** The options with which this JVM uses one; empty if it was started without. */
  static List<String> ofThisJvm() {
    return ofArchive(ManagementFactory.getRuntimeMXBean().getInputArguments()).toList();
  }

  /** Says in a line that this JVM was started with one that does not fit; null if it fits. */
  public static @Nullable String whyUnused() {
    boolean inUse = System.getProperty(VM_INFO, "").contains("sharing");
    return inUse || ofThisJvm().isEmpty()
        ? null
        : "no archive of classes: %s does not fit this JDK, these jars or these options of the JVM"
            .formatted(ofThisJvm().get(0));
  }

  /** The arguments of a JVM that have to do with none. */
  public static List<String> without(List<String> arguments) {
    List<String> of = ofArchive(arguments).toList();
    return arguments.stream().filter(argument -> !of.contains(argument)).toList();
  }

  private static Stream<String> ofArchive(List<String> arguments) {
    return arguments.stream().filter(argument -> OPTIONS.stream().anyMatch(argument::startsWith));
  }
}
