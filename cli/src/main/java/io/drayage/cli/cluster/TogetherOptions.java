package io.drayage.cli.cluster;

import static io.drayage.internal.Texts.format;

import io.drayage.cargo.CargoCutter;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cli.options.OptionChecks;
import io.drayage.frame.TransactionRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The division of a cargo that several processes commit as one transaction. */
final class TogetherOptions {
  static final String SHARE = "--share";

  private static final int MAX_WORKERS = 64;

  @Option(
      names = "--workers",
      paramLabel = "M",
      description = {
        "Commit the cargo as one transaction of M processes, 1 to 64. Each process makes or reads"
            + " the cargo and sends its share. --load and --warm-up have no effect",
        "  (default: with --fragments 1)."
      })
  private @Nullable Integer workers;

  @Option(
      names = "--fragments",
      paramLabel = "N",
      description = {
        "Divide the cargo into N fragments, M to 32768, or into fewer if it has fewer rows",
        "  (default: with --workers one for each 96 MiB, and M or more)."
      })
  private @Nullable Integer fragments;

  @Option(
      names = SHARE,
      hidden = true,
      paramLabel = "NUMBER",
      description = "The number of this process, 1 to M.")
  @Nullable Integer share;

  void validate(OptionChecks checks) {
    checks.requireCount("--workers", workers, 1, MAX_WORKERS);
    checks.requireCount("--fragments", fragments, 1, TransactionRequest.MAX_FRAGMENTS);
    checks.require(
        fragments == null || fragments >= workers(),
        format(
            "--fragments %d is less than --workers %d: each sends at least one",
            fragments, workers()));
    checks.requireCount(SHARE, share, 1, workers());
  }

  boolean areGiven() {
    return workers != null || fragments != null;
  }

  int workers() {
    return workers == null ? 1 : workers;
  }

  /** Returns the share of a worker; equal cargoes have equal shares. */
  List<ChangeCargo> share(ChangeCargo cargo, int worker) {
    List<ChangeCargo> pieces = CargoCutter.cutInto(cargo, fragmentsOf(cargo));
    int from = (int) ((long) pieces.size() * (worker - 1) / workers());
    int to = (int) ((long) pieces.size() * worker / workers());
    return pieces.subList(from, to);
  }

  private int fragmentsOf(ChangeCargo cargo) {
    if (fragments != null) {
      return fragments;
    }
    long wanted = 1 + CargoCutter.typicalBytes(cargo) / CargoCutter.DEFAULT_BYTES;
    return (int) Math.min(TransactionRequest.MAX_FRAGMENTS, Math.max(workers(), wanted));
  }
}
