package io.drayage.bench.doctor;

import io.drayage.bench.doctor.Finding.Mark;
import io.drayage.bench.environment.ProcFiles;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The machine and its kernel: processors, TCP, what profiles can show, network namespaces. */
final class MachineFindings {
  /** Up to this level, any user may sample the kernel as well; root always may. */
  private static final int MAX_PARANOID_FOR_KERNEL = 1;

  private static final Integer ROOT_UID = 0;

  private MachineFindings() {}

  static List<Finding> find() {
    boolean root = isRoot();
    return List.of(
        cores(Runtime.getRuntime().availableProcessors()),
        kernel(System.getProperty("os.name"), System.getProperty("os.version")),
        congestionControl(ProcFiles.congestionControl()),
        perfEvents(ProcFiles.line("/proc/sys/kernel/perf_event_paranoid"), root),
        kernelSymbols(ProcFiles.line("/proc/sys/kernel/kptr_restrict"), root),
        flightRecorder(ModuleLayer.boot().findModule("jdk.jfr").isPresent()),
        namespaces(isOnPath("ip"), root),
        tool("tc", "links between them can be shaped", "links between them run unshaped"));
  }

  static Finding cores(int cores) {
    String value = Integer.toString(cores);
    return cores >= 2
        ? Finding.of(Mark.OK, "cores", value, "@cores means @" + cores)
        : Finding.of(Mark.NOTE, "cores", value, "worker and transactor take turns on one core");
  }

  static Finding kernel(String name, String version) {
    String value = name + " " + version;
    return name.equals("Linux")
        ? Finding.of(Mark.OK, "kernel", value, "native transports can be tried")
        : Finding.of(Mark.NOTE, "kernel", value, "native transports and links need Linux");
  }

  static Finding congestionControl(@Nullable String algorithm) {
    return algorithm == null
        ? Finding.of(Mark.NOTE, "congestion control", "unknown", "is not recorded with results")
        : Finding.of(Mark.OK, "congestion control", algorithm, "is recorded with every result");
  }

  static Finding perfEvents(@Nullable String paranoid, boolean root) {
    String what = "perf events";
    if (paranoid == null) {
      return Finding.of(Mark.NO, what, "not there", "profiles use timers, without kernel frames");
    }
    String value = "perf_event_paranoid " + paranoid + (root ? ", root" : "");
    return root || Integer.parseInt(paranoid) <= MAX_PARANOID_FOR_KERNEL
        ? Finding.of(Mark.OK, what, value, "cpu profiles show kernel frames")
        : Finding.of(
            Mark.NOTE,
            what,
            value,
            "no kernel frames in profiles; sysctl kernel.perf_event_paranoid=1");
  }

  static Finding kernelSymbols(@Nullable String restrict, boolean root) {
    String what = "kernel symbols";
    if (restrict == null) {
      return Finding.of(Mark.NO, what, "not there", "kernel frames have no names");
    }
    String value = "kptr_restrict " + restrict + (root ? ", root" : "");
    boolean visible = restrict.equals("0") || (restrict.equals("1") && root);
    return visible
        ? Finding.of(Mark.OK, what, value, "kernel frames have names")
        : Finding.of(
            Mark.NOTE, what, value, "kernel frames have no names; sysctl kernel.kptr_restrict=0");
  }

  static Finding flightRecorder(boolean present) {
    return Finding.optional(
        "flight recorder",
        present,
        present ? "jdk.jfr" : "no jdk.jfr",
        "'drayage profile' can record",
        "no profiles; run a JDK that contains jdk.jfr");
  }

  static Finding namespaces(boolean ip, boolean root) {
    return Finding.optional(
        "namespaces",
        ip && root,
        (ip ? "ip found" : "no ip command") + (root ? ", root" : ", not root"),
        "hosts can be made on this machine",
        ip ? "hosts on one machine need root" : "hosts on one machine need iproute2");
  }

  private static Finding tool(String name, String ifPresent, String ifNot) {
    boolean present = isOnPath(name);
    return Finding.optional(name, present, present ? "found" : "not found", ifPresent, ifNot);
  }

  /** Whether a command is on the path, or where network tools lie, which not every path has. */
  static boolean isOnPath(String command) {
    String path = System.getenv().getOrDefault("PATH", "");
    return Stream.concat(
            Arrays.stream(path.split(File.pathSeparator)), Stream.of("/usr/sbin", "/sbin"))
        .filter(folder -> !folder.isEmpty())
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, command)));
  }

  /** Whether this process runs as root; false where users have no numbers. */
  static boolean isRoot() {
    try {
      return ROOT_UID.equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return false;
    }
  }
}
