package io.drayage.bench.codecs;

import io.drayage.bench.cargoes.CargoSource;
import io.drayage.bench.cargoes.CargoSources;
import io.drayage.bench.environment.Environment;
import io.drayage.bench.progress.StepDisplay;
import io.drayage.bench.published.PublishedFigures;
import io.drayage.bench.result.Status;
import io.drayage.cargo.CargoSize;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cli.options.OptionChecks;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
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
      "Nothing is kept of what is encoded, and as many codecs as there are cores run at a time. A"
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
    Selection selection;
    CargoSource source;
    try {
      selection = Selection.of(options);
      source = CargoSources.parse(options.from.cargo, options.size.bytes(), options.from.seed);
    } catch (IllegalArgumentException e) {
      throw checks.usageError(String.valueOf(e.getMessage()));
    }
    Path kept = options.resultFolder().resolve("run.json"); // Fails now, not afterwards.
    PrintWriter err = spec.commandLine().getErr();
    err.println("encoding " + source.describe());
    err.flush();
    ChangeCargo cargo = load(source, checks);
    long rawBytes = CargoSize.rawBytes(cargo);
    Sizes sizes = new Sizes(cargo, rawBytes, published(), options.size.bytes());
    List<Combination> combinations = selection.combinations();
    List<SizeRow> rows;
    try (StepDisplay display = StepDisplay.onStandardError("sizes", combinations.size(), err)) {
      rows = sizes.measure(combinations, display);
    }
    print(rows, selection, rawBytes);
    CodecResult result =
        new CodecResult(
            CodecResult.SCHEMA, Environment.capture(), config(source, rawBytes, selection), rows);
    keep(result, kept);
    return result.allOk() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private static ChangeCargo load(CargoSource source, OptionChecks checks) {
    try {
      return source.load();
    } catch (IllegalStateException e) {
      throw checks.usageError(String.valueOf(e.getMessage()));
    }
  }

  private PublishedFigures published() {
    return options.isStudyCargo()
        ? PublishedFigures.of("size.csv", "serialized_MB")
        : PublishedFigures.none();
  }

  private CodecConfig config(CargoSource source, long rawBytes, Selection selection) {
    return CodecConfig.of(
        options, source.describe(), rawBytes, selection, Map.of("threads", Sizes.threads()));
  }

  private void print(List<SizeRow> rows, Selection selection, long rawBytes) {
    PrintWriter out = spec.commandLine().getOut();
    int study = selection.study().size();
    SizesTable.of(rows.subList(0, study), rows.subList(study, rows.size())).forEach(out::println);
    for (SizeRow row : rows) {
      if (row.status() == Status.FAILED) {
        out.println("FAILED %s: %s".formatted(row.combination(), row.error()));
      }
    }
    out.println(SizesTable.verdict(rows, rawBytes, publishedInput()));
    out.flush();
  }

  private @Nullable Double publishedInput() {
    return options.isStudyCargo() ? PublishedFigures.inputMegabytes(options.size.bytes()) : null;
  }

  private void keep(CodecResult result, Path kept) throws IOException {
    result.writeTo(kept);
    spec.commandLine().getErr().println("kept in " + kept);
    if (options.from.json != null) {
      result.writeTo(options.from.json);
    }
  }
}
