package io.drayage.cli.explain;

import io.drayage.bench.cargoes.CargoSource;
import io.drayage.bench.codecs.CodecCargo;
import io.drayage.bench.codecs.CodecTables;
import io.drayage.bench.codecs.Combination;
import io.drayage.bench.codecs.SizeMeasurement;
import io.drayage.bench.codecs.SizeRow;
import io.drayage.bench.progress.StepDisplay;
import io.drayage.bench.published.PublishedFigures;
import io.drayage.bench.result.ResultFolder;
import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cli.options.OptionChecks;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

/** {@code drayage sizes}: measures the size of a cargo with each combination. */
@Command(
    name = "sizes",
    mixinStandardHelpOptions = true,
    description = {
      "Encodes one cargo with each codec and compares the sizes (the study's table C).",
      "",
      "The encoded bytes are dropped, and as many codecs as there are cores run at the same time. A"
          + " MB is 10^6 bytes. For a cargo of thesis at 100MB, 1GB, 10GB or 100GB, the table also"
          + " has the study's published figure and the difference from it.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  drayage sizes",
      "  drayage sizes --size 1GB --codec java --codec kryo+lz4 --json sizes.json",
      "  drayage sizes --cargo tpch:sf=0.1 --codec raw+zstd:1,raw+zstd:19 --form segments",
      "  drayage sizes --codec kryo,kryo-unsafe --without-flush"
    })
public final class SizesCommand extends CodecCommand<SizeRow> {
  @Override
  Measured<SizeRow> measure(
      List<Combination> combinations, CodecCargo cargo, CargoSource source, ResultFolder folder) {
    report("encoding " + source.describe());
    ChangeCargo made = new OptionChecks(spec).valid(source::load);
    long rawBytes = CargoSize.rawBytes(made);
    long sizeBytes = cargo.size().bytes();
    SizeMeasurement measurement =
        new SizeMeasurement(made, cargo.published("size.csv", "serialized_MB"), sizeBytes);
    try (StepDisplay display =
        StepDisplay.onStandardError("sizes", combinations.size(), spec.commandLine().getErr())) {
      List<SizeRow> rows = measurement.run(combinations, display);
      Double publishedMegabytes =
          cargo.isTheStudys() ? PublishedFigures.inputMegabytes(sizeBytes) : null;
      return new Measured<>(
          rows,
          rawBytes,
          Map.of("threads", SizeMeasurement.threads()),
          CodecTables.sizes(rows),
          CodecTables.verdictOfSizes(rows, rawBytes, publishedMegabytes));
    }
  }
}
