package io.drayage.cli.explain;

import io.drayage.bench.cargoes.CargoSource;
import io.drayage.bench.codecs.CodecConfig;
import io.drayage.bench.codecs.CodecResult;
import io.drayage.bench.codecs.CodecSelection;
import io.drayage.bench.codecs.CodecTables;
import io.drayage.bench.codecs.SizeMeasurement;
import io.drayage.bench.codecs.SizeRow;
import io.drayage.bench.codecs.work.Combination;
import io.drayage.bench.progress.StepDisplay;
import io.drayage.bench.published.PublishedFigures;
import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cli.options.OptionChecks;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code drayage sizes}: how many bytes each combination makes of a cargo. */
@Command(
    name = "sizes",
    mixinStandardHelpOptions = true,
    description = {
      "Encodes one cargo with each codec and compares how small it becomes (the study's table C).",
      "",
      "The encoded bytes are dropped, and as many codecs as there are cores run at a time. A"
          + " MB is 10^6 bytes. Beside a cargo of thesis at 100MB, 1GB, 10GB or 100GB stands what"
          + " the study published, and how far ours is from it.",
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
public final class SizesCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private CodecOptions options;

  @Override
  public Integer call() throws IOException, InterruptedException {
    OptionChecks checks = new OptionChecks(spec);
    checks.requireWritable("--json", options.from.json);
    checks.requireFolder("--out", options.from.out);
    CodecSelection selection = options.selection(checks);
    CargoSource source = options.source(checks);
    Path kept = options.resultFolder().resolve("run.json"); // Fails now, not afterwards.
    PrintWriter err = spec.commandLine().getErr();
    err.println("encoding " + source.describe());
    err.flush();
    ChangeCargo cargo = load(source, checks);
    long rawBytes = CargoSize.rawBytes(cargo);
    CodecResult<SizeRow> result =
        CodecResult.of(
            CodecConfig.of(
                options.cargo(),
                source.describe(),
                rawBytes,
                selection,
                Map.of("threads", SizeMeasurement.threads())),
            measure(cargo, rawBytes, selection.combinations()));
    print(result, selection, rawBytes);
    result.writeTo(kept);
    err.println("kept in " + kept);
    if (options.from.json != null) {
      result.writeTo(options.from.json);
    }
    return result.allOk() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private static ChangeCargo load(CargoSource source, OptionChecks checks) {
    try {
      return source.load();
    } catch (IllegalStateException e) {
      throw checks.usageError(String.valueOf(e.getMessage()));
    }
  }

  private List<SizeRow> measure(ChangeCargo cargo, long rawBytes, List<Combination> combinations)
      throws InterruptedException {
    PublishedFigures published =
        options.cargo().isTheStudys()
            ? PublishedFigures.of("size.csv", "serialized_MB")
            : PublishedFigures.none();
    PrintWriter err = spec.commandLine().getErr();
    try (StepDisplay display = StepDisplay.onStandardError("sizes", combinations.size(), err)) {
      return new SizeMeasurement(cargo, rawBytes, published, options.cargo().sizeBytes())
          .run(combinations, display);
    }
  }

  private void print(CodecResult<SizeRow> result, CodecSelection selection, long rawBytes) {
    PrintWriter out = spec.commandLine().getOut();
    CodecTables.sizes(result.summary(), selection).toText().forEach(out::println);
    result.failures().forEach(out::println);
    CodecConfig.Cargo cargo = options.cargo();
    out.println(
        CodecTables.verdictOfSizes(
            result.summary(),
            rawBytes,
            cargo.isTheStudys() ? PublishedFigures.inputMegabytes(cargo.sizeBytes()) : null));
    out.flush();
  }
}
