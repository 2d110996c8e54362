package io.drayage.bench.doctor;

import io.drayage.bench.doctor.Finding.Mark;
import io.drayage.bench.environment.ProcFiles;
import io.drayage.bench.environment.Tools;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The machine and its kernel: processors, TCP, what profiles can show, network namespaces. */
final class MachineFindings {
  /** Up to this level, any user may sample the kernel as well; root always may. */
  private static final int MAX_PARANOID_FOR_KERNEL = 1;

  private MachineFindings() {}

  static List<Finding> find() {
    boolean root = "root".equals(System.getProperty("user.name"));
    int cores = Runtime.getRuntime().availableProcessors();
    String kernel = System.getProperty("os.name");
    String congestion = ProcFiles.congestionControl();
    boolean tc = Tools.isInstalled("tc");
    return List.of(
        Finding.of(
            cores >= 2 ? Mark.OK : Mark.NOTE,
            "cores",
            Integer.toString(cores),
            cores >= 2 ? "@cores means @" + cores : "worker and transactor take turns on one core"),
        Finding.of(
            kernel.equals("Linux") ? Mark.OK : Mark.NOTE,
            "kernel",
            kernel + " " + System.getProperty("os.version"),
            kernel.equals("Linux")
                ? "native transports can be tried"
                : "native transports and links need Linux"),
        Finding.of(
            congestion == null ? Mark.NOTE : Mark.OK,
            "congestion control",
            congestion == null ? "unknown" : congestion,
            congestion == null ? "is not recorded with results" : "is recorded with every result"),
        perfEvents(ProcFiles.line("/proc/sys/kernel/perf_event_paranoid"), root),
        kernelSymbols(ProcFiles.line("/proc/sys/kernel/kptr_restrict"), root),
        flightRecorder(ModuleLayer.boot().findModule("jdk.jfr").isPresent()),
        namespaces(Tools.isInstalled("ip"), root),
        Finding.optional(
            "tc",
            tc,
            tc ? "found" : "not found",
            "links between them can be shaped",
            "links between them run unshaped"));
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
    return restrict.equals("0") || (restrict.equals("1") && root)
        ? Finding.of(Mark.OK, what, value, "kernel frames have names")
        : Finding.of(
            Mark.NOTE, what, value, "kernel frames have no names; sysctl kernel.kptr_restrict=0");
  }

  private static Finding flightRecorder(boolean present) {
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
}
