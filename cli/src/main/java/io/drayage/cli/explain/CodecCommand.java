package io.drayage.cli.explain;

import io.drayage.bench.cargoes.CargoSource;
import io.drayage.bench.codecs.CodecCargo;
import io.drayage.bench.codecs.CodecRow;
import io.drayage.bench.codecs.CodecSelection;
import io.drayage.bench.codecs.Combination;
import io.drayage.bench.codecs.Form;
import io.drayage.bench.result.Result;
import io.drayage.bench.result.ResultFolder;
import io.drayage.bench.table.Table;
import io.drayage.cli.options.CargoOptions;
import io.drayage.cli.options.OptionChecks;
import io.drayage.cli.options.ResultOptions;
import io.drayage.cli.options.SizeOption;
import io.drayage.profiling.ProfilerException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The common part of {@code sizes}, {@code serialization} and {@code deserialization}. */
abstract class CodecCommand<R extends CodecRow> implements Callable<Integer> {
  @Spec CommandSpec spec;
  @Mixin private CargoOptions from = new CargoOptions();

  @Mixin private ResultOptions results = new ResultOptions();

  @Mixin private SizeOption size = new SizeOption();

  @Option(
      names = "--codec",
      paramLabel = "CODEC",
      split = ",",
      description =
          "The codecs to measure: SERIALIZER+COMPRESSOR[:LEVEL], such as kryo+lz4; SERIALIZER alone"
              + " is combined with every compressor, +COMPRESSOR[:LEVEL] with every serializer."
              + " May be repeated. Default: the study's combinations, and below a line all others.")
  private List<String> codecs = new ArrayList<>();

  @Option(
      names = "--form",
      paramLabel = "FORM",
      description =
          "stream: the whole cargo through the streams of both, as the study did. segments: one"
              + " segment after another on one thread. Default: stream.")
  @Nullable Form form;

  @Option(
      names = "--without-flush",
      description =
          "Measure kryo and kryo-unsafe a second time, with their flushes kept from the"
              + " compressor.")
  private boolean withoutFlush;

  /**
   * A measurement.
   *
   * @param rawBytes raw bytes of the cargo; null if it could not be made
   * @param how the settings of the measurement, for the result
   */
  record Measured<R>(
      List<R> rows, @Nullable Long rawBytes, Object how, Table table, String verdict) {}

  /** Checks the options that only this command has. */
  void validate(OptionChecks checks, @Nullable Path out) {}

  /** Chooses the combinations to measure, and checks whether this machine can run them. */
  List<Combination> prepare(OptionChecks checks, List<Combination> selected, CargoSource source)
      throws ProfilerException {
    return selected;
  }

  abstract Measured<R> measure(
      List<Combination> combinations, CodecCargo cargo, CargoSource source, ResultFolder folder)
      throws IOException, InterruptedException;

  @Override
  public final Integer call() throws IOException, InterruptedException, ProfilerException {
    OptionChecks checks = new OptionChecks(spec);
    results.validate(checks);
    validate(checks, results.out);
    List<Combination> selected = checks.valid(() -> CodecSelection.of(codecs, form, withoutFlush));
    CodecCargo cargo = new CodecCargo(from.cargo, size.value(), from.seed);
    CargoSource source = checks.valid(cargo::source);
    List<Combination> combinations = prepare(checks, selected, source);
    try (ResultFolder folder = ResultFolder.openForKeptResult(results.out)) {
      Measured<R> measured = measure(combinations, cargo, source, folder);
      return finish(
          cargo.result(source, measured.rawBytes, measured.rows, measured.how), measured, folder);
    }
  }

  void report(String line) {
    spec.commandLine().getErr().println(line);
  }

  private int finish(Result<R> result, Measured<R> measured, ResultFolder folder)
      throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    measured.table.toText().forEach(out::println);
    CodecRow.failures(measured.rows).forEach(out::println);
    out.println(measured.verdict);
    folder.keep(result);
    report("kept in " + folder.path().resolve(ResultFolder.RESULT));
    if (results.json != null) {
      result.writeTo(results.json);
    }
    reportFiles(result.allOk(), folder);
    return result.allOk() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  /** Names the other files in the folder of the result. */
  void reportFiles(boolean allOk, ResultFolder folder) {}
}
