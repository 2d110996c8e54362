package io.drayage.bench.rig;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The time of all CPUs since the machine started, in ticks, and the part of the rig's processes.
 *
 * @param busy the time in which processes of this machine were running
 * @param stolen the time in which the hypervisor let another machine run
 * @param all the time that has passed, summed over all CPUs
 * @param ours the part of {@code busy} that the rig and its children used
 */
record MachineUse(long busy, long stolen, long all, long ours) {
  /**
   * A turn is disturbed if others used more of the machine, in percent. On two cores this is a
   * quarter of one core.
   */
  static final double DISTURBING_PERCENT = 12.5;

  private static final Path MACHINE = Path.of("/proc/stat");

  /** The places of the fields in the first line. */
  private static final int SYSTEM = 2;

  private static final int IRQ = 5;
  private static final int SOFT_IRQ = 6;
  private static final int STEAL = 7;
  private static final int FIELDS = 8;

  /** The place of the user time after the name of a process; the system time follows. */
  private static final int USER_OF_PROCESS = 11;

  /** Returns the use of this moment; null if there is no /proc. */
  static @Nullable MachineUse now(Collection<ProcessHandle> children) {
    try {
      String line = Files.readAllLines(MACHINE).get(0);
      long ours = ticksOf(ProcessHandle.current());
      for (ProcessHandle child : children) {
        ours += ticksOf(child);
      }
      return of(line, ours);
    } catch (IOException e) {
      return null;
    }
  }

  /**
   * Reads the times of all CPUs.
   *
   * @param line the first line of /proc/stat
   * @param ours the ticks of the rig and its children
   */
  static MachineUse of(String line, long ours) {
    long[] ticks =
        Arrays.stream(line.substring("cpu".length()).strip().split(" ", -1))
            .mapToLong(Long::parseLong)
            .limit(FIELDS)
            .toArray();
    long busy = ticks[IRQ] + ticks[SOFT_IRQ];
    for (int i = 0; i <= SYSTEM; i++) {
      busy += ticks[i];
    }
    return new MachineUse(busy, ticks[STEAL], LongStream.of(ticks).sum(), ours);
  }

  static long ticksOf(ProcessHandle process) {
    try {
      return ticksOf(Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat")));
    } catch (IOException e) {
      return 0; // The process has ended.
    }
  }

  /** Returns user and system time of a process, from its {@code stat}. */
  static long ticksOf(String stat) {
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return Long.parseLong(fields[USER_OF_PROCESS]) + Long.parseLong(fields[USER_OF_PROCESS + 1]);
  }

  /** Returns the part of all CPUs that others and the hypervisor used since then, in percent. */
  double othersPercentSince(MachineUse before) {
    long passed = Math.max(1, all - before.all);
    long others = busy - before.busy - (ours - before.ours) + stolen - before.stolen;
    return 100.0 * Math.max(0, others) / passed;
  }
}
