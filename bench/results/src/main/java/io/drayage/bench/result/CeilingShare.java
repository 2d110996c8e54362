package io.drayage.bench.result;

import io.drayage.bench.statistics.Medians;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The shares of the machine's limits that one system reached; 1 is the limit. Jackson writes it
 * unchanged.
 *
 * @param system the system's name
 * @param wireMBps bytes sent per second of the median S+Q, in MB/s (10^6)
 * @param wire {@code wireMBps} over the rate of the path
 * @param processor CPU time of all processes / (cores x the commit; S+Q of a peer, which commits
 *     nothing), compiler and collector included
 * @param codec CPU time of the busier of encoding and decoding / (its threads x S+Q)
 * @param copy the time that all cores need to copy the values out of arrays and into others, over
 *     S+Q
 * @param binds the largest: {@code wire}, {@code processor}, {@code codec} or {@code copy}; {@code
 *     waiting} if none is above a half: then the ends wait for each other. Null if none is known
 */
public record CeilingShare(
    String system,
    @Nullable Double wireMBps,
    @Nullable Double wire,
    @Nullable Double processor,
    @Nullable Double codec,
    @Nullable Double copy,
    @Nullable String binds) {
  private static final double MIN_BINDING = 0.5;

  static CeilingShare of(Summary summary, List<Run> runs, Ceilings ceilings) {
    Double sqS = summary.sqMedianS();
    if (sqS == null || summary.figures().wireBytes() == null) {
      return new CeilingShare(summary.system(), null, null, null, null, null, null);
    }
    Double commitS = summary.commitMedianS();
    double wholeS = commitS == null ? sqS : commitS;
    double wireMBps = summary.figures().wireBytes() / sqS / 1e6;
    Double rawMBps = summary.figures().rawMBps();
    Map<String, @Nullable Double> shares = new LinkedHashMap<>();
    shares.put("wire", ResultFigures.quotient(wireMBps, ceilings.pathMBps()));
    shares.put(
        "processor",
        ResultFigures.quotient(summary.figures().cpuMedianS(), ceilings.cores() * wholeS));
    shares.put("codec", codec(summary.system(), runs));
    shares.put(
        "copy",
        rawMBps == null ? null : ResultFigures.quotient(ceilings.copyS(rawMBps * sqS), sqS));
    return new CeilingShare(
        summary.system(),
        wireMBps,
        shares.get("wire"),
        shares.get("processor"),
        shares.get("codec"),
        shares.get("copy"),
        binding(shares));
  }

  private static @Nullable Double codec(String system, List<Run> runs) {
    List<Utilisation> loads =
        runs.stream()
            .filter(run -> run.system().equals(system))
            .map(run -> run.cost().utilisation())
            .filter(Objects::nonNull)
            .toList();
    Double encode = Medians.of(loads, Utilisation::encode);
    Double decode = Medians.of(loads, Utilisation::decode);
    if (encode == null || decode == null) {
      return encode == null ? decode : encode;
    }
    return Math.max(encode, decode);
  }

  private static @Nullable String binding(Map<String, @Nullable Double> shares) {
    String largest = null;
    double share = 0;
    for (Map.Entry<String, @Nullable Double> entry : shares.entrySet()) {
      Double value = entry.getValue();
      if (value != null && value > share) {
        largest = entry.getKey();
        share = value;
      }
    }
    return largest == null || share >= MIN_BINDING ? largest : "waiting";
  }
}
