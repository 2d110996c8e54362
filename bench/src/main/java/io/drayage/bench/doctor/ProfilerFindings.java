package io.drayage.bench.doctor;

import io.drayage.bench.doctor.Finding.Mark;
import io.drayage.bench.environment.ProcFiles;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether profiles can show the kernel's frames, and whether there is a flight recorder. */
final class ProfilerFindings {
  /** Up to this level, any user may sample the kernel as well; root always may. */
  private static final int MAX_PARANOID_FOR_KERNEL = 1;

  private ProfilerFindings() {}

  static List<Finding> find() {
    boolean root = Tools.isRoot();
    return List.of(
        perfEvents(ProcFiles.line("/proc/sys/kernel/perf_event_paranoid"), root),
        kernelSymbols(ProcFiles.line("/proc/sys/kernel/kptr_restrict"), root),
        flightRecorder(ModuleLayer.boot().findModule("jdk.jfr").isPresent()));
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
}
