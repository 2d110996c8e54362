package io.drayage.bench.ceiling;

import io.drayage.bench.ByteSize;
import io.drayage.bench.link.Link;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The last line: which step of a shipment binds on this machine, and what to reach. */
final class CeilingVerdict {
  private static final double SHARE_OF_LOOPBACK = 0.55;
  private static final double SHARE_OF_LINK = 0.9;

  private CeilingVerdict() {}

  /** What part of the socket's rate a whole shipment is expected to reach. */
  static double sinkShare(Link link) {
    return link.isLoopback() ? SHARE_OF_LOOPBACK : SHARE_OF_LINK;
  }

  static String of(List<CeilingSummary> summaries, long wireBytes, double sinkShare) {
    Double encode = rate(summaries, CeilingRow.ENCODE);
    Double decode = rate(summaries, CeilingRow.DECODE);
    Double socket = rate(summaries, CeilingRow.SOCKET);
    if (encode == null || decode == null || socket == null) {
      return "what binds is unknown: a step of a shipment could not be measured";
    }
    return binding(encode, socket, decode) + "; " + target(socket, wireBytes, sinkShare);
  }

  private static String binding(double encode, double socket, double decode) {
    String slowest =
        socket <= Math.min(encode, decode)
            ? "the socket"
            : encode <= decode ? "encoding on one core" : "decoding on one core";
    return String.format(
        Locale.ROOT,
        "%s binds: encode %.2f, socket %.2f, decode %.2f GB/s",
        slowest,
        encode,
        socket,
        decode);
  }

  private static String target(double socket, long wireBytes, double sinkShare) {
    double gbps = sinkShare * socket;
    return String.format(
        Locale.ROOT,
        ">= %.2f of the sink is %.2f GB/s, S+Q of %.3f s for %s",
        sinkShare,
        gbps,
        wireBytes / gbps / 1e9,
        ByteSize.format(wireBytes));
  }

  private static @Nullable Double rate(List<CeilingSummary> summaries, CeilingRow row) {
    return summaries.stream()
        .filter(summary -> summary.row().equals(row.name()))
        .map(CeilingSummary::gbps)
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }
}
