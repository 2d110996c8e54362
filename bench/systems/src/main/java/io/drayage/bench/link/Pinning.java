package io.drayage.bench.link;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.environment.ProcFiles;
import io.drayage.bench.environment.Tools;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The cores of each side.
 *
 * @param workers the cores of all workers, as {@code taskset} accepts them; null for any
 * @param transactor the cores of the transactor; null for any
 */
record Pinning(@Nullable String workers, @Nullable String transactor) {
  static final Pinning NONE = new Pinning(null, null);

  /**
   * Returns half of the cores for each side; of an odd number the transactor has one more.
   *
   * @throws LinkException if there is only one core, or no command for pinning
   */
  static Pinning halves() throws LinkException {
    if (!Tools.isInstalled("taskset")) {
      throw new LinkException("--pin needs the command taskset: install util-linux");
    }
    List<Integer> cores = cores(ProcFiles.allowedCores());
    if (cores.size() < 2) {
      throw new LinkException(
          format("--pin needs two cores, this process may use %d", cores.size()));
    }
    int half = cores.size() / 2;
    return new Pinning(list(cores.subList(0, half)), list(cores.subList(half, cores.size())));
  }

  /** Reads a list as Linux writes it: {@code 0-2,5}. */
  static List<Integer> cores(String list) {
    List<Integer> cores = new ArrayList<>();
    for (String range : list.split(",", -1)) {
      String[] ends = range.strip().split("-", -1);
      if (ends[0].isEmpty()) {
        continue;
      }
      int last = Integer.parseInt(ends[ends.length - 1]);
      for (int core = Integer.parseInt(ends[0]); core <= last; core++) {
        cores.add(core);
      }
    }
    return cores;
  }

  private static String list(List<Integer> cores) {
    return cores.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  /** Returns the words before a command line that limit it to these cores. */
  static List<String> prefix(@Nullable String cores) {
    return cores == null ? List.of() : List.of("taskset", "-c", cores);
  }
}
