package io.drayage.bench.codecs;

import io.drayage.bench.system.SystemNotation;
import io.drayage.cli.options.OptionChecks;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** With how many codec threads segments are encoded, as picocli fills it in. */
final class ThreadCounts {
  @Option(
      names = "--threads",
      paramLabel = "N",
      split = ",",
      description =
          "Codec threads: 1,2 measures each codec with one and with two, in turns, and shows how"
              + " many times as fast that is. With --form segments only. Each count, 1 included,"
              + " then takes a sender's own way, with its threads and buffers, to a wire that"
              + " takes every frame at once. Default: one thread without that way, segment after"
              + " segment.")
  List<Integer> counts = new ArrayList<>();

  /** Says what is wrong with them, if something is. */
  void check(OptionChecks checks, CodecOptions options) {
    checks.require(
        counts.isEmpty() || options.form == Form.SEGMENTS,
        "--threads is about segments: add --form segments");
    for (int count : counts) {
      checks.require(
          count >= 1 && count <= SystemNotation.MAX_THREADS,
          "--threads must be 1 to %,d, not %,d".formatted(SystemNotation.MAX_THREADS, count));
    }
  }
}
