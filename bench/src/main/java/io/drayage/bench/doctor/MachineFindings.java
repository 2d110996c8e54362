package io.drayage.bench.doctor;

import io.drayage.bench.doctor.Finding.Mark;
import io.drayage.bench.environment.ProcFiles;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Processors, kernel and the state of TCP. */
final class MachineFindings {
  private MachineFindings() {}

  static List<Finding> find() {
    return List.of(
        cores(Runtime.getRuntime().availableProcessors()),
        kernel(System.getProperty("os.name"), System.getProperty("os.version")),
        congestionControl(ProcFiles.congestionControl()));
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
}
