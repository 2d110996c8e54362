package io.drayage.cli.explain;

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

/** What {@code sizes}, {@code serialization} and {@code deserialization} have in common. */
abstract class CodecCommand implements Callable<Integer> {
  @Spec CommandSpec spec;
  @Mixin private CargoOptions from = new CargoOptions();

  @Mixin private ResultOptions results = new ResultOptions();

  @Mixin private SizeOption size = new SizeOption();

  @Option(
      names = "--codec",
      paramLabel = "CODEC",
      split = ",",
      description =
          "What to measure: SERIALIZER+COMPRESSOR[:LEVEL], such as kryo+lz4; SERIALIZER for it with"
              + " every compressor, +COMPRESSOR[:LEVEL] for it with every serializer. May be"
              + " repeated. Default: the study's combinations, and below a line all others.")
  private List<String> codecs = new ArrayList<>();

  @Option(
      names = "--form",
      paramLabel = "FORM",
      description =
          "stream: the whole cargo through the streams of both, as the study did. segments: one"
              + " segment after the other on one thread. Default: stream.")
  @Nullable Form form;

  @Option(
      names = "--without-flush",
      description =
          "Measure kryo and kryo-unsafe a second time, with their flushes kept from the"
              + " compressor.")
  private boolean withoutFlush;

  /** Checks all options. */
  void validate(OptionChecks checks) {
    results.validate(checks);
  }

  List<Combination> selection(OptionChecks checks) {
    return checks.valid(() -> CodecSelection.of(codecs, form, withoutFlush));
  }

  CodecCargo cargo() {
    return new CodecCargo(from.cargo, size.value(), from.seed);
  }

  @Nullable Path out() {
    return results.out;
  }

  /**
   * The folder of this run's result: the one named, or a new temporary one.
   *
   * @throws IOException as {@link ResultFolder#open}
   */
  ResultFolder resultFolder() throws IOException {
    return ResultFolder.openForKeptResult(results.out);
  }

  void report(String line) {
    spec.commandLine().getErr().println(line);
  }

  /** Prints and keeps the result. */
  int finish(Result<? extends CodecRow> result, Table table, String verdict, ResultFolder folder)
      throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    table.toText().forEach(out::println);
    CodecRow.failures(result.summary()).forEach(out::println);
    out.println(verdict);
    folder.keep(result);
    report("kept in " + folder.path().resolve(ResultFolder.RESULT));
    if (results.json != null) {
      result.writeTo(results.json);
    }
    return result.allOk() ? ExitCode.OK : ExitCode.SOFTWARE;
  }
}
